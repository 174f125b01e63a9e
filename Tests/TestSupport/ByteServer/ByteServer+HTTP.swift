public import PipelineCore

extension ByteServer {
    /// The bytes of a response with a body of that text.
    ///
    /// Its `Content-Length` is written unless the fields hold one, or a `Transfer-Encoding`.
    public static func http(
        status: Int = 200, fields: HTTPFields = [:], body: String = ""
    ) -> [UInt8] {
        http(status: status, fields: fields, body: Array(body.utf8))
    }

    /// The bytes of a response with this body.
    ///
    /// Its `Content-Length` is written unless the fields hold one, or a `Transfer-Encoding`.
    public static func http(
        status: Int = 200, fields: HTTPFields = [:], body: [UInt8]
    ) -> [UInt8] {
        var head = "HTTP/1.1 \(status) Test\r\n"
        for field in fields {
            head += "\(field.name): \(field.value)\r\n"
        }
        if fields["Content-Length"] == nil, fields["Transfer-Encoding"] == nil {
            head += "Content-Length: \(body.count)\r\n"
        }
        return Array("\(head)\r\n".utf8) + body
    }
}
