extension RequestDefinition.Credentials {
    func authenticator(_ values: VariableValues, _ context: RunContext) throws(TemplateError) -> (any RequestAuthenticator)? { nil }
}
