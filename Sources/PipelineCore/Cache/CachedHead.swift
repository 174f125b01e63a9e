/// The head of a response as a cache keeps it, and when it came.
struct CachedHead: Sendable {
    /// Status and fields, without those that were for one connection only.
    var head: HTTPResponse.Head
    /// When the request was sent, in seconds since the beginning of 1970 in UTC.
    var requestedAt: Int
    /// When the response came, likewise.
    var receivedAt: Int

    /// A head as it came (RFC 9111, section 3.1).
    init(_ head: HTTPResponse.Head, requestedAt: Int, receivedAt: Int) {
        self.head = HTTPResponse.Head(
            status: head.status, version: head.version, fields: Self.kept(of: head.fields))
        self.requestedAt = requestedAt
        self.receivedAt = receivedAt
    }

    /// The fields that are not about one connection or one proxy.
    private static func kept(of fields: HTTPFields) -> HTTPFields {
        var dropped = connectionFields
        for line in fields.values(of: "Connection") {
            dropped += line.split(separator: ",").map { $0.trimmed }
        }
        return HTTPFields(
            fields.filter { field in
                !dropped.contains { HTTPFields.isSame($0, field.name) }
            })
    }

    private static let connectionFields = [
        "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Transfer-Encoding", "Upgrade",
        "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
    ]
}

extension CachedHead {
    /// The head after a 304 said that the content is the same still (section 3.2).
    ///
    /// Each field of the 304 takes the place of those of its name, except where it tells of a
    /// content that is not sent again. `Date` and `Age` are those of the 304 or none: the old ones
    /// would make the response look as old as it was before.
    func updated(by answer: CachedHead) -> CachedHead {
        let news = answer.head.fields.filter { field in
            !Self.contentFields.contains { HTTPFields.isSame($0, field.name) }
        }
        let kept = head.fields.filter { field in
            !HTTPFields.isSame(field.name, "Date") && !HTTPFields.isSame(field.name, "Age")
                && !news.contains { HTTPFields.isSame($0.name, field.name) }
        }
        var result = self
        result.head = HTTPResponse.Head(
            status: head.status, version: head.version, fields: HTTPFields(kept + news))
        result.requestedAt = answer.requestedAt
        result.receivedAt = answer.receivedAt
        return result
    }

    private static let contentFields = [
        "Content-Length", "Content-Encoding", "Content-Range", "Content-Type",
    ]
}

extension StringProtocol {
    /// Without the spaces and tabs at either end.
    var trimmed: String {
        String(decoding: Array(utf8)[...].trimmingWhitespace, as: UTF8.self)
    }
}
