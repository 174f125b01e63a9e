/// A string of the file with its placeholders, taken apart when the file is loaded.
package struct Template: Sendable {
    private let content: Content

    /// Most strings of a file have no placeholder: they are kept without an array.
    private enum Content {
        case literal(String)
        case segments([Segment])
    }

    enum Segment: Sendable {
        case text(String)
        case placeholder(Placeholder)
    }

    /// One `{{name}}` and where it stands.
    struct Placeholder: Sendable {
        let name: String
        let reference: Reference
        let place: SourcePlace
    }

    /// A template without placeholders.
    init(literal text: String) {
        content = .literal(text)
    }

    init(segments: [Segment]) {
        content = .segments(segments)
    }

    /// What it consists of; text that follows text is joined.
    var segments: [Segment] {
        switch content {
        case .literal(let text): [.text(text)]
        case .segments(let segments): segments
        }
    }

    /// The whole text when there is no placeholder in it.
    var literal: String? {
        switch content {
        case .literal(let text): text
        case .segments(let segments):
            switch segments.first {
            case .text(let text) where segments.count == 1: text
            case nil: ""
            default: nil
            }
        }
    }

    /// The placeholders, in order.
    var placeholders: [Placeholder] {
        guard case .segments(let segments) = content else { return [] }
        return segments.compactMap { if case .placeholder(let value) = $0 { value } else { nil } }
    }

    /// How a value is written where it is put in.
    enum Encoding {
        /// As it is.
        case verbatim
        /// Percent-encoded, every octet but the unreserved ones.
        case percent
        /// Percent-encoded, but for a placeholder at the very beginning: it may be an address.
        case address
    }

    /// Puts the values in.
    func render(
        _ values: VariableValues, encoding: Encoding = .verbatim
    ) throws(TemplateError) -> String {
        if let literal { return literal }
        var result: [UInt8] = []
        for (index, segment) in segments.enumerated() {
            switch segment {
            case .text(let text): result.append(contentsOf: text.utf8)
            case .placeholder(let placeholder):
                let text = try values.text(of: placeholder)
                let isVerbatim = encoding == .verbatim || encoding == .address && index == 0
                if isVerbatim {
                    result.append(contentsOf: text.utf8)
                } else {
                    PercentEncoding.append(encoding: text.utf8, to: &result)
                }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension Template {
    /// Puts the values in, for a place where nothing may end or forge a line (case O20).
    ///
    /// - Parameter what: What the text would be, for the message, which shows no value: it may be
    ///   secret.
    func renderLine(
        _ values: VariableValues, _ what: String, at place: SourcePlace
    ) throws(TemplateError) -> String {
        let text = try render(values)
        // The UTF-8 view: CR LF is one Character, which equals neither CR nor LF.
        guard !text.utf8.contains(where: \.isLineBreakOrNull) else {
            throw TemplateError(
                message: "\(what) would hold a line break or NUL\(origin)", place: place)
        }
        return text
    }

    /// Where what stands in the text came from, as far as it is not the file itself.
    var origin: String { placeholders.first.map { ", from {{\($0.name)}}" } ?? "" }
}

/// A value that is missing or cannot stand where the file puts it.
struct TemplateError: Error {
    let message: String
    let place: SourcePlace?
    /// The place in the store of what is missing; `nil` when nothing is.
    var missingSlot: Int?
}
