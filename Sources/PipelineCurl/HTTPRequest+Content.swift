import PipelineCore

extension HTTPRequest {
    /// Whether the request is sent with content, be it of no length.
    ///
    /// Without a body, the methods that are meant to carry one say so by a length of 0 (RFC 9110,
    /// section 8.6).
    var hasContent: Bool {
        body != nil || method == "POST" || method == "PUT" || method == "PATCH"
    }
}
