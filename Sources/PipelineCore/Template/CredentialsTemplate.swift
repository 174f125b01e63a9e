/// Who asks, as the file writes it.
///
/// Indirect, because most requests have none and should not hold room for it.
indirect enum CredentialsTemplate: Sendable {
    /// A token (RFC 6750, section 2.1).
    case bearer(Template)
    /// A user's name and password (RFC 7617, section 2).
    case basic(username: Template, password: Template)
    /// The same, proved without sending the password (RFC 7616).
    case digest(username: Template, password: Template)
    /// An AWS Signature, version 4.
    case amazon(
        accessKeyID: Template, secretAccessKey: Template, sessionToken: Template?,
        region: Template, service: Template)

    /// The value of the `Authorization` field; `nil` when it depends on the exchange.
    func render(_ values: VariableValues, at place: SourcePlace) throws(TemplateError) -> String? {
        switch self {
        case .digest, .amazon: return nil
        case .bearer(let token):
            return "Bearer \(try token.renderLine(values, "the token", at: place))"
        case .basic(let username, let password):
            let name = try username.renderLine(values, "the username", at: place)
            if name.utf8.contains(UInt8(ascii: ":")) {
                throw TemplateError(
                    message: "a user's name may not hold a colon\(username.origin)", place: place)
            }
            let word = try password.renderLine(values, "the password", at: place)
            return "Basic " + Base64.encode("\(name):\(word)".utf8)
        }
    }

    var placeholders: [Template.Placeholder] {
        switch self {
        case .bearer(let token): token.placeholders
        case .basic(let username, let password), .digest(let username, let password):
            username.placeholders + password.placeholders
        case .amazon(
            let accessKeyID, let secretAccessKey, let sessionToken, let region, let service):
            [accessKeyID, secretAccessKey, sessionToken, region, service]
                .compactMap(\.self).flatMap(\.placeholders)
        }
    }
}
