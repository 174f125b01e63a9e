import PipelineCore

extension StubAnswer {
    /// The whole response as it is sent (RFC 9112, section 4).
    ///
    /// The reason phrase is left empty, as the grammar allows: clients have to ignore it.
    ///
    /// - Parameter missing: How many bytes are announced and not sent.
    func wire(toHead isHead: Bool, closesConnection: Bool, missing: Int = 0) -> [UInt8] {
        var wire: [UInt8] = []
        wire.reserveCapacity(body.count + 512)
        wire.append(contentsOf: "HTTP/1.1 \(status) \r\n".utf8)
        for field in fields where !Self.isFraming(field.name) {
            wire.append(contentsOf: "\(field.name): \(field.value)\r\n".utf8)
        }
        if hasContent {
            wire.append(contentsOf: "Content-Length: \(body.count + missing)\r\n".utf8)
        }
        if closesConnection { wire.append(contentsOf: "Connection: close\r\n".utf8) }
        wire.append(contentsOf: "\r\n".utf8)
        if hasContent && !isHead { wire.append(contentsOf: body) }
        return wire
    }

    /// Whether the status allows content (RFC 9110, section 6.4.1).
    var hasContent: Bool { status >= 200 && status != 204 && status != 304 }

    private static func isFraming(_ name: String) -> Bool {
        ["Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive"]
            .contains { HTTPFields.isSame(name, $0) }
    }
}
