import PipelineCore

extension HTTPRequest {
    /// Refuses what Foundation would send although it forges or breaks the request, and what it
    /// would leave out.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest``. The message names a field, but never shows
    ///   a value, which may be secret.
    func checkSendableByURLSession() throws(TransportError) {
        guard method.utf8.isToken else {
            throw .refused("the method is not a word that HTTP allows (RFC 9110, section 9.1)")
        }
        if method == "HEAD" || method == "GET", body != nil {
            throw .refused(
                method == "HEAD"
                    ? "a HEAD request has no body" : "URLSession sends no body with a GET request")
        }
        for field in fields {
            guard field.name.utf8.isToken else {
                throw .refused("a header field has a name that HTTP does not allow")
            }
            guard !field.value.utf8.contains(where: \.isLineBreakOrNull) else {
                throw .refused(
                    "the value of the header field \(field.name) holds a line break or a NUL")
            }
        }
        if let announced = fields["Content-Length"], Int(announced) != body?.size ?? 0 {
            throw .refused("the header field Content-Length is not the body's size")
        }
    }
}

extension TransportError {
    /// A request that is not sent.
    static func refused(_ message: String) -> TransportError {
        TransportError(.invalidRequest, message, isBeforeSending: true)
    }
}
