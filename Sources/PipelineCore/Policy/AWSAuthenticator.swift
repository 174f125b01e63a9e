/// Signs each exchange anew: a signature covers the address and is good for some minutes only.
struct AWSAuthenticator: RequestAuthenticator {
    let signature: AWSSignature

    func authorize(_ request: inout HTTPRequest) throws(RequestError) {
        do {
            try signature.sign(&request, at: GeneratedValue.timestamp())
        } catch {
            throw RequestError(.invalidRequest, error.description)
        }
    }

    /// A signature is no answer to a challenge: it was sent and refused.
    func accepts(
        challenge head: HTTPResponse.Head, to request: HTTPRequest, isRepeated: Bool
    ) -> Bool { false }
}
