import PipelineCore

extension HTTPRequest {
    /// Refuses what no transport may send, and what Foundation would leave out.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest``. The message names a field, but never shows
    ///   a value, which may be secret.
    func checkSendableByURLSession() throws(TransportError) {
        try checkSendable()
        if method == "GET", body != nil {
            throw .refused("URLSession sends no body with a GET request")
        }
    }
}
