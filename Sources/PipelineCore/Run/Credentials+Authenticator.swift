extension RequestDefinition.Credentials {
    /// What proves who asks in a way that depends on the exchange; `nil` for a fixed field.
    func authenticator(
        for request: HTTPRequest, _ values: VariableValues, _ context: RunContext
    ) throws(TemplateError) -> (any RequestAuthenticator)? {
        switch template {
        case .bearer, .basic: return nil
        case .digest(let username, let password):
            let (username, password) = (try username.render(values), try password.render(values))
            let credentials: DigestCredentials
            do throws(DigestError) {
                credentials = try DigestCredentials(username: username, password: password)
            } catch {
                throw TemplateError(message: error.description, place: place)
            }
            let session = context.digestSessions.session(
                at: Origin(request.url), for: credentials)
            return DigestAuthenticator(credentials: credentials, session: session)
        case .amazon: return nil
        }
    }
}
