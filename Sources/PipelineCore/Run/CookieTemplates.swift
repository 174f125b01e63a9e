extension [RequestDefinition.Cookie] {
    /// Adds the line that sends these cookies (RFC 6265, section 5.4).
    func render(
        into fields: inout HTTPFields, _ values: VariableValues
    ) throws(TemplateError) {
        guard !isEmpty else { return }
        var pairs: [String] = []
        for cookie in self {
            let value = try cookie.value.render(values)
            // What would end the value, or begin another cookie or line (case O20).
            guard value.utf8.allSatisfy(\.isCookieOctet) else {
                throw TemplateError(
                    message: "the cookie \(cookie.name) would hold a byte that a cookie may not "
                        + "hold (RFC 6265, section 4.1.1)\(cookie.value.origin)",
                    place: cookie.place)
            }
            pairs.append("\(cookie.name)=\(value)")
        }
        let own = fields.values(of: "Cookie")
        fields["Cookie"] = (own + pairs).joined(separator: "; ")
    }
}

extension UInt8 {
    /// Whether the byte may stand in a cookie, quotes included.
    fileprivate var isCookieOctet: Bool {
        switch self {
        case UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\\"): false
        case 0x21...0x7E: true
        default: false
        }
    }
}
