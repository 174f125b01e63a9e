/// A report that is being written.
struct ReportOutput {
    private enum Sink {
        case file(Int32)
        case stream(Output)
    }

    private var sink: Sink
    private var pending: [UInt8] = []
    private var failure: String?

    /// So much is written at once: 256 KiB.
    private static let portion = 1 << 18

    init(file descriptor: Int32) {
        sink = .file(descriptor)
    }

    init(stream descriptor: Int32, until interruption: Interruption) {
        var output = Output(descriptor)
        output.interruption = interruption
        sink = .stream(output)
    }

    mutating func write(_ bytes: some Collection<UInt8>) {
        pending.append(contentsOf: bytes)
        if pending.count >= Self.portion { flush() }
    }

    /// Writes a part of a spool, which is not copied first when it is large.
    mutating func write(part: ArraySlice<UInt8>) {
        guard part.count >= Self.portion else { return write(part) }
        flush()
        put(part)
    }

    /// Gives it up, for this reason.
    mutating func fail(_ reason: String) {
        failure = failure ?? reason
    }

    /// Writes what is left; returns why not everything could be written.
    mutating func finish() -> String? {
        flush()
        return failure
    }

    private mutating func flush() {
        put(pending[...])
        pending.removeAll(keepingCapacity: true)
    }

    private mutating func put(_ bytes: ArraySlice<UInt8>) {
        guard failure == nil else { return }
        switch sink {
        case .file(let descriptor): failure = SystemWrite.all(bytes, to: descriptor)
        case .stream(var output):
            output.write(Array(bytes))
            // A reader who has enough is not a failure.
            if case .failed(let reason) = output.state { failure = reason }
            sink = .stream(output)
        }
    }
}
