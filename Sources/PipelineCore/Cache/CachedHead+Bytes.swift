extension CachedHead {
    /// The head as a cache's file holds it: a line with numbers, then the field lines.
    var bytes: [UInt8] {
        Array("\(head.status) \(head.version) \(requestedAt) \(receivedAt)\n".utf8)
            + head.wireFields
    }

    /// Reads such a head; `nil` for what is none.
    init?(bytes: ArraySlice<UInt8>) {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        // The version is empty where a transport does not tell it.
        let words = bytes[..<end]
            .split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 4, let status = Int(words[0]), let requestedAt = Int(words[2]),
            let receivedAt = Int(words[3])
        else { return nil }
        head = HTTPResponse.Head(
            status: status, version: words[1], wireFields: Array(bytes[(end + 1)...]))
        self.requestedAt = requestedAt
        self.receivedAt = receivedAt
    }

    /// What is stored in the place of a response that is selected by fields (RFC 9111, section 4.1):
    /// their names, which lead to the key of the response itself.
    static func selection(by names: [String]) -> CachedHead {
        CachedHead(
            HTTPResponse.Head(status: 0, fields: ["Vary": names.joined(separator: ", ")]),
            requestedAt: 0, receivedAt: 0)
    }

    /// The fields that select the response; `nil` for a response.
    var selection: [String]? {
        head.status == 0 ? CachePolicy.selectingFields(head) : nil
    }
}
