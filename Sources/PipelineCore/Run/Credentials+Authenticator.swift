extension RequestDefinition.Credentials {
    /// What proves who asks in a way that depends on the exchange; `nil` for a fixed field.
    func authenticator(
        for request: HTTPRequest, _ values: VariableValues, _ context: RunContext
    ) throws(TemplateError) -> (any RequestAuthenticator)? {
        switch template {
        case .bearer, .basic: return nil
        case .digest(let username, let password):
            let name = try username.renderLine(values, "the username", at: place)
            let password = try password.render(values)
            let credentials: DigestCredentials
            do throws(DigestError) {
                credentials = try DigestCredentials(username: name, password: password)
            } catch {
                throw TemplateError(message: error.description + username.origin, place: place)
            }
            let session = context.digestSessions.session(
                at: Origin(request.url), for: credentials)
            return DigestAuthenticator(credentials: credentials, session: session)
        case .amazon(
            let accessKeyID, let secretAccessKey, let sessionToken, let region, let service):
            let signature: AWSSignature
            func line(_ template: Template, _ what: String) throws(TemplateError) -> String {
                try template.renderLine(values, "the \(what)", at: place)
            }
            let id = try line(accessKeyID, "access key")
            let secret = try line(secretAccessKey, "secret key")
            var token: String?
            if let sessionToken { token = try line(sessionToken, "session token") }
            let (area, name) = (try line(region, "region"), try line(service, "service"))
            do throws(AWSSignatureError) {
                signature = try AWSSignature(
                    accessKey: id, secretKey: secret, sessionToken: token, region: area,
                    service: name)
            } catch {
                throw TemplateError(message: error.description, place: place)
            }
            return AWSAuthenticator(signature: signature)
        }
    }
}
