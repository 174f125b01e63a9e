public import PipelineCore

/// A request as a server read it from a connection.
public struct ReceivedRequest: Sendable {
    /// The method as it was written.
    public var method: String
    /// What the request line names, such as `/path?query`.
    public var target: String
    /// The header fields in order.
    public var fields: HTTPFields
    /// The content, after a chunked coding was undone.
    public var body: [UInt8]
    /// Everything before the content, byte for byte.
    public var headBytes: [UInt8]
    /// The connection that it came on, counted from 1.
    public var connection: Int

    /// Everything before the content, as text.
    public var headText: String { String(decoding: headBytes, as: UTF8.self) }

    /// The content as text.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// Reads a head that ends with an empty line; `nil` when there is no request line.
    init?(head: [UInt8], connection: Int) {
        let lineEnd = head.firstIndex(of: UInt8(ascii: "\r")) ?? head.endIndex
        let words = head[..<lineEnd].split(separator: UInt8(ascii: " "))
        guard words.count == 3 else { return nil }
        method = String(decoding: words[0], as: UTF8.self)
        target = String(decoding: words[1], as: UTF8.self)
        fields = HTTPFields(wire: Array(head[lineEnd...]))
        body = []
        headBytes = head
        self.connection = connection
    }
}
