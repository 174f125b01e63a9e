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
    package var isRelative: Bool {
        switch url.segments.first {
        case .text(let start): !Self.isAbsolute(start)
        case .placeholder: false
        case nil: true
        }
    }

    /// The pieces of the path: text with what is known put in, or `nil` for a captured value.
    func pathPieces(_ values: VariableValues) -> [String?] {
        url.segments.map { segment in
            switch segment {
            case .text(let text): return text
            case .placeholder:
                return try? Template(segments: [.text(""), segment])
                    .render(values, encoding: .percent)
            }
        }
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
