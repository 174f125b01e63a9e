/// What a request or an example carries, as the file writes it.
enum BodyTemplate: Sendable {
    case json(JSONTemplate)
    case text(Template)
    case form([AddressTemplate.Parameter])
    case bytes([UInt8])

    /// The media type that is sent unless the file sets one.
    var contentType: String {
        switch self {
        case .json: "application/json"
        case .text: "text/plain; charset=utf-8"
        case .form: "application/x-www-form-urlencoded"
        case .bytes: "application/octet-stream"
        }
    }

    /// Puts the values in.
    func render(_ values: VariableValues) throws(TemplateError) -> [UInt8] {
        switch self {
        case .json(let template): return try template.render(values)
        case .text(let template): return Array(try template.render(values).utf8)
        case .bytes(let bytes): return bytes
        case .form(let parameters):
            var result: [UInt8] = []
            for parameter in parameters {
                if !result.isEmpty { result.append(UInt8(ascii: "&")) }
                PercentEncoding.append(encoding: parameter.name.utf8, to: &result)
                result.append(UInt8(ascii: "="))
                let value = try parameter.value.render(values)
                PercentEncoding.append(encoding: value.utf8, to: &result)
            }
            return result
        }
    }

    var placeholders: [Template.Placeholder] {
        switch self {
        case .json(let template): template.placeholders
        case .text(let template): template.placeholders
        case .form(let parameters): parameters.flatMap(\.value.placeholders)
        case .bytes: []
        }
    }
}
