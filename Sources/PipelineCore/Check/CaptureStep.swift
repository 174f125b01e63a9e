import PipelineJSON

/// One step of `then`: makes another value of what was captured.
enum CaptureStep: Sendable {
    case first
    case last
    case length
    case nth(Int)
    case split(Template)
    case replace(Template, with: Template)
    case replaceRegex(PatternTemplate, with: Template)
    case urlDecode
    case base64Decode
    case toNumber
    case toString
    case trim

    /// The steps that have no operand.
    static let words: [(name: String, step: CaptureStep)] = [
        ("first", .first), ("last", .last), ("length", .length), ("urlDecode", .urlDecode),
        ("base64Decode", .base64Decode), ("toNumber", .toNumber), ("toString", .toString),
        ("trim", .trim),
    ]

    var placeholders: [Template.Placeholder] {
        switch self {
        case .split(let template): template.placeholders
        case .replace(let part, let with): part.placeholders + with.placeholders
        case .replaceRegex(let pattern, let with): pattern.placeholders + with.placeholders
        default: []
        }
    }

    /// - Throws: ``SourceFailure`` when the value is not what the step works on, or
    ///   ``TemplateError``.
    func apply(to value: JSONValue, _ values: VariableValues) throws -> JSONValue {
        switch self {
        case .first: return try element(0, of: value)
        case .last: return try element(-1, of: value)
        case .nth(let index): return try element(index, of: value)
        case .length:
            guard value.kind != .string else {
                return JSONValue(value.plainText.unicodeScalars.count)
            }
            guard value.kind == .array || value.kind == .object else {
                throw wrong("a text, an array or an object", value)
            }
            return JSONValue(value.count)
        case .split(let separator):
            return Self.split(try text(value), by: try separator.render(values))
        case .replace(let part, let with):
            let parts = Self.split(try text(value), by: try part.render(values))
            let texts = parts.elements.map(\.plainText)
            return JSONValue(texts.joined(separator: try with.render(values)))
        case .replaceRegex(let pattern, let with):
            return JSONValue(
                try pattern.expression(values)
                    .replacingAll(in: try text(value), with: try with.render(values)))
        case .urlDecode:
            guard let decoded = PercentEncoding.decode(try text(value)) else {
                throw wrong("percent-encoded UTF-8", value)
            }
            return JSONValue(decoded)
        case .base64Decode:
            let text = try text(value)
            guard let bytes = Base64.decode(anyAlphabet: text),
                let decoded = String(validating: bytes, as: UTF8.self)
            else { throw wrong("Base64 of a text", value) }
            return JSONValue(decoded)
        case .toNumber:
            let text = String(
                decoding: Array(value.plainText.utf8)[...].trimmingWhitespace, as: UTF8.self)
            guard let number = JSONNumber(text) else { throw wrong("a number", value) }
            return JSONValue(number)
        case .toString: return JSONValue(value.plainText)
        case .trim:
            let trimmed = Array(try text(value).utf8)[...].trimmingLines
            return JSONValue(String(decoding: trimmed, as: UTF8.self))
        }
    }

    private func element(_ index: Int, of value: JSONValue) throws(SourceFailure) -> JSONValue {
        guard value.kind == .array else { throw wrong("an array", value) }
        guard let element = value[index < 0 ? value.count + index : index] else {
            throw SourceFailure("there is no element \(index) among \(value.count)")
        }
        return element.detached()
    }

    private func text(_ value: JSONValue) throws(SourceFailure) -> String {
        guard let text = value.string else { throw wrong("a text", value) }
        return text
    }

    private func wrong(_ expected: String, _ value: JSONValue) -> SourceFailure {
        SourceFailure("\"then\" expected \(expected), found \(value.shownWithType)")
    }

    /// Splits at each separator; an empty one splits nothing.
    private static func split(_ text: String, by separator: String) -> JSONValue {
        let part = Array(separator.utf8)
        guard let first = part.first else { return [JSONValue(text)] }
        var pieces: [JSONValue] = []
        var piece: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            if byte == first, rest.starts(with: part) {
                pieces.append(JSONValue(String(decoding: piece, as: UTF8.self)))
                piece = []
                rest = rest.dropFirst(part.count)
            } else {
                piece.append(byte)
                rest = rest.dropFirst()
            }
        }
        pieces.append(JSONValue(String(decoding: piece, as: UTF8.self)))
        return JSONValue(array: pieces)
    }
}

extension ArraySlice<UInt8> {
    /// The slice without white space of any kind at either end.
    fileprivate var trimmingLines: Self {
        let isText: (UInt8) -> Bool = { $0 != 0x20 && !(0x09...0x0D ~= $0) }
        guard let first = firstIndex(where: isText), let last = lastIndex(where: isText) else {
            return []
        }
        return self[first...last]
    }
}
