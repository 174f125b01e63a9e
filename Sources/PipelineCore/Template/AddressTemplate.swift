/// Where a request goes, as the file writes it.
package struct AddressTemplate: Sendable {
    let url: Template
    let query: [Parameter]
    let place: SourcePlace

    struct Parameter: Sendable {
        let name: String
        let value: Template
    }

    /// The address as the file writes it, placeholders and all, without the query.
    package var text: String {
        url.segments.map {
            switch $0 {
            case .text(let text): text
            case .placeholder(let placeholder): "{{\(placeholder.name)}}"
            }
        }.joined()
    }

    /// Whether it is joined to the base URL, as far as can be told before the values are known.
    var isRelative: Bool {
        switch url.segments.first {
        case .text(let start): !Self.isAbsolute(start)
        case .placeholder: false
        case nil: true
        }
    }

    /// The pieces of the address: text, or `nil` for what is not the same in every run.
    ///
    /// - Parameter fixed: The slots whose values are.
    func pieces(_ values: VariableValues, fixed: Set<Int>) throws(TemplateError) -> [String?] {
        var pieces: [String?] = []
        for (index, segment) in url.segments.enumerated() {
            switch segment {
            case .text(let text): pieces.append(text)
            case .placeholder(let placeholder):
                guard case .slot(let slot) = placeholder.reference, fixed.contains(slot) else {
                    pieces.append(nil)
                    continue
                }
                // What begins an address may be one, and is not encoded.
                pieces.append(
                    try Template(segments: [segment])
                        .render(values, encoding: index == 0 ? .verbatim : .percent))
            }
        }
        return pieces
    }

    /// Whether pieces make an address that is joined to the base URL; `nil` when it begins with
    /// what is not known.
    static func isRelative(_ pieces: [String?]) -> Bool? {
        if let first = pieces.first, first == nil { return nil }
        return !isAbsolute(pieces.prefix { $0 != nil }.compactMap(\.self).joined())
    }

    /// Puts the values in, joins the address to the base and adds the query.
    ///
    /// - Parameter base: Without a slash at its end; `nil` when the pipeline has none.
    func render(base: String?, _ values: VariableValues) throws(TemplateError) -> HTTPURL {
        var text = try url.render(values, encoding: .address)
        if !Self.isAbsolute(text) {
            guard let base else {
                throw TemplateError(
                    message: "the address is relative, and the pipeline has no baseURL",
                    place: place)
            }
            let needsSlash = !text.isEmpty && !text.hasPrefix("/") && !text.hasPrefix("?")
            text = base + (needsSlash ? "/" : "") + text
        }
        if !query.isEmpty { text = try appendingQuery(to: text, values) }
        do {
            return try HTTPURL(text)
        } catch {
            throw TemplateError(message: error.description, place: place)
        }
    }

    private func appendingQuery(
        to text: String, _ values: VariableValues
    ) throws(TemplateError) -> String {
        var result = Array(text.utf8)
        if let fragment = result.firstIndex(of: UInt8(ascii: "#")) {
            result.removeSubrange(fragment...)
        }
        var separator = result.contains(UInt8(ascii: "?")) ? UInt8(ascii: "&") : UInt8(ascii: "?")
        for parameter in query {
            result.append(separator)
            PercentEncoding.append(encoding: parameter.name.utf8, to: &result)
            result.append(UInt8(ascii: "="))
            let value = try parameter.value.render(values)
            PercentEncoding.append(encoding: value.utf8, to: &result)
            separator = UInt8(ascii: "&")
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether a text begins with a scheme and `://` (RFC 3986, section 3.1).
    static func isAbsolute(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isASCIILetter else { return false }
        let rest = text.utf8.drop {
            $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0)
        }
        return rest.starts(with: "://".utf8)
    }
}
