/// Bytes that have come and were not used yet.
struct InputBuffer {
    private var bytes: [UInt8] = []
    private var start = 0
    /// Up to here there is no line feed, so that a line that comes byte by byte is searched once.
    private var scanned = 0

    var count: Int { bytes.count - start }

    mutating func append(_ new: ArraySlice<UInt8>) {
        bytes.removeSubrange(..<start)
        scanned -= start
        start = 0
        bytes.append(contentsOf: new)
    }

    /// Takes the next line without its CR LF; `nil` when it has not come whole.
    ///
    /// - Throws: ``Refusal`` when it is longer than the limit, line break included, or ends with
    ///   LF alone, which RFC 9112 section 2.2 lets a server accept and other servers refuse.
    mutating func takeLine(limit: Int) throws(Refusal) -> ArraySlice<UInt8>? {
        guard let end = bytes[scanned...].firstIndex(of: UInt8(ascii: "\n")) else {
            scanned = bytes.count
            guard count < limit else { throw .headTooLarge }
            return nil
        }
        guard end - start < limit else { throw .headTooLarge }
        guard end > start, bytes[end - 1] == UInt8(ascii: "\r") else {
            throw .badRequest("a line ends with LF alone, not with CR LF")
        }
        defer {
            start = end + 1
            scanned = start
        }
        return bytes[start..<(end - 1)]
    }

    /// Takes what is there, up to a number of bytes.
    mutating func take(atMost limit: Int) -> ArraySlice<UInt8> {
        let taken = bytes[start...].prefix(limit)
        start = taken.endIndex
        scanned = start
        return taken
    }
}

extension Refusal {
    fileprivate static var headTooLarge: Refusal {
        Refusal(431, "the request line and header fields are longer than 64 KiB")
    }
}
