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
        case .amazon(
            let accessKeyID, let secretAccessKey, let sessionToken, let region, let service):
            let signature: AWSSignature
            let parts = (try accessKeyID.render(values), try secretAccessKey.render(values))
            let place = (try region.render(values), try service.render(values))
            let token = try sessionToken?.render(values)
            do throws(AWSSignatureError) {
                signature = try AWSSignature(
                    accessKey: parts.0, secretKey: parts.1, sessionToken: token, region: place.0,
                    service: place.1)
            } catch {
                throw TemplateError(message: error.description, place: self.place)
            }
            return AWSAuthenticator(signature: signature)
        }
    }
}
