/// How much of a body has come, and whether that is worth telling.
struct DownloadProgress: Sendable {
    /// How much the body has in all; `nil` when the head does not say.
    let expected: Int?
    private(set) var received = 0
    private var told: Int?

    /// Less than this is not told for itself.
    static let leastStep = 65_536

    /// The progress of a body that this head announces.
    init(_ head: HTTPResponse.Head) {
        expected = head.announcedBodySize
    }

    /// So many bytes have come; returns whether to tell.
    mutating func add(_ count: Int) -> Bool {
        received += count
        let step = max(Self.leastStep, (expected ?? received) / 100)
        guard received - (told ?? 0) >= step else { return false }
        return tellAll()
    }

    /// Returns whether there is something that was not told yet.
    mutating func tellAll() -> Bool {
        defer { told = received }
        return told != received
    }
}
