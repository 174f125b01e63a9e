extension HTTPRequest {
    /// Refuses what a library would send although it forges or breaks the request.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest``. The message names a field, but never shows
    ///   a value, which may be secret.
    package func checkSendable() throws(TransportError) {
        guard method.utf8.isToken else {
            throw .refused(
                "the method is not a word that HTTP allows (RFC 9110, section 9.1)")
        }
        if method == "HEAD", body != nil {
            throw .refused("a HEAD request has no body")
        }
        for field in fields {
            guard field.name.utf8.isToken else {
                throw .refused(
                    "\(field.shownName) is not a field name that HTTP allows (RFC 9110, section 5.1)"
                )
            }
            guard !field.value.utf8.contains(where: \.isLineBreakOrNull) else {
                throw .refused(
                    "the value of the header field \(field.name) holds a line break or a NUL")
            }
        }
        // How a body is framed is the transport's business; a coding without one would have the
        // server take the next request for it.
        guard fields["Transfer-Encoding"] == nil else {
            throw .refused("the header field Transfer-Encoding is set by the transport")
        }
        try checkLength()
    }

    private func checkLength() throws(TransportError) {
        guard let announced = fields["Content-Length"] else { return }
        let actual = body?.size ?? 0
        guard Int(announced) == actual else {
            throw .refused(
                "the header field Content-Length is not the body's size, \(actual)")
        }
    }
}

extension HTTPField {
    /// The name with what cannot be shown as `?`.
    fileprivate var shownName: String {
        let bytes = name.utf8.map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?") }
        return "\"\(String(decoding: bytes, as: UTF8.self))\""
    }
}

extension TransportError {
    /// A request that is not sent.
    package static func refused(_ message: String) -> TransportError {
        TransportError(.invalidRequest, message, isBeforeSending: true)
    }
}
