/// Who asks, as the file writes it.
enum CredentialsTemplate: Sendable {
    /// A token (RFC 6750, section 2.1).
    case bearer(Template)
    /// A user's name and password (RFC 7617, section 2).
    case basic(username: Template, password: Template)

    /// The value of the `Authorization` field.
    func render(_ values: VariableValues, at place: SourcePlace) throws(TemplateError) -> String {
        let value: String
        switch self {
        case .bearer(let token): value = "Bearer \(try token.render(values))"
        case .basic(let username, let password):
            let name = try username.render(values)
            if name.utf8.contains(UInt8(ascii: ":")) {
                throw TemplateError(message: "a user's name may not hold a colon", place: place)
            }
            value = "Basic " + Base64.encode("\(name):\(try password.render(values))".utf8)
        }
        if value.utf8.contains(where: \.isLineBreakOrNull) {
            throw TemplateError(message: "the token would hold a line break or NUL", place: place)
        }
        return value
    }

    var placeholders: [Template.Placeholder] {
        switch self {
        case .bearer(let token): token.placeholders
        case .basic(let username, let password): username.placeholders + password.placeholders
        }
    }
}
