#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A program that runs beside the test, with what it printed so far.
///
/// It is killed when it takes longer than twenty seconds, and with the test that started it.
final class Subprocess {
    /// Where one of its output streams goes.
    enum Destination {
        /// Kept for the test.
        case kept
        /// To a file or a device.
        case path(String)
        /// To a pipe that nobody reads any more.
        case abandoned
        /// Nowhere: the stream is closed.
        case closed
    }

    /// How a program ended and what it printed.
    struct Outcome {
        /// The exit status; 128 and the signal for a program that a signal ended.
        let status: Int32
        let output: String
        let errors: String
    }

    struct Failure: Error {
        let message: String
    }

    private let process: pid_t
    private var streams: [KeptStream] = []
    private var hasEnded = false

    /// Starts a program with the environment of the test and these changes to it.
    init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:],
        input: String = "/dev/null", output: Destination = .kept, errors: Destination = .kept
    ) throws {
        var actions = SpawnActions()
        defer { actions.destroy() }
        actions.open(0, input, O_RDONLY)
        var unused: [Int32] = []
        defer { for descriptor in unused { close(descriptor) } }
        for (number, destination) in [(Int32(1), output), (2, errors)] {
            switch destination {
            case .path(let path): actions.open(number, path, O_WRONLY)
            case .closed: actions.close(number)
            case .kept, .abandoned:
                let (reading, writing) = try Self.pipe()
                actions.duplicate(writing, as: number)
                unused.append(writing)
                if case .kept = destination {
                    streams.append(KeptStream(number: number, descriptor: reading))
                } else {
                    unused.append(reading)
                }
            }
        }
        process = try actions.spawn(path, arguments, environment)
        // A pipe that is abandoned must have no reader before the program writes to it; the
        // program starts at the same time, so a test must not rely on its very first line.
    }

    deinit {
        if !hasEnded {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        for stream in streams { stream.close() }
    }

    /// Sends the program a signal.
    func send(_ signal: Int32) {
        kill(process, signal)
    }

    /// Waits until standard output, or standard error, holds that text, and returns all so far.
    func waitForText(_ text: String, on number: Int32 = 1) throws -> String {
        guard let stream = streams.first(where: { $0.number == number }) else {
            throw Failure(message: "the stream is not kept")
        }
        try read { stream.text.contains(text) }
        guard stream.text.contains(text) else {
            throw Failure(message: "it ended without \"\(text)\": \(stream.text)")
        }
        return stream.text
    }

    /// Waits for the end of the program.
    func waitForEnd() throws -> Outcome {
        try read { false }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw Failure(message: "waitpid failed") }
        }
        hasEnded = true
        let signal = status & 0x7F
        return Outcome(
            status: signal == 0 ? status >> 8 & 0xFF : 128 + signal,
            output: streams.first { $0.number == 1 }?.text ?? "",
            errors: streams.first { $0.number == 2 }?.text ?? "")
    }

    /// Reads what comes until there is enough, or until the program has closed its streams.
    private func read(until isEnough: () -> Bool) throws {
        let limit = ContinuousClock.now + .seconds(20)
        while !isEnough() {
            let open = streams.filter { !$0.isAtEnd }
            if open.isEmpty { return }
            var waiting = open.map {
                pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
            }
            poll(&waiting, nfds_t(waiting.count), 100)
            for (stream, state) in zip(open, waiting) where state.revents != 0 { stream.read() }
            if ContinuousClock.now > limit {
                let seen = streams.map(\.text).joined(separator: "\n")
                throw Failure(message: "it still ran after 20 seconds:\n\(seen)")
            }
        }
    }

    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard systemPipe(&ends) == 0 else { throw Failure(message: "there is no pipe left") }
        return (ends[0], ends[1])
    }
}

/// What came through one stream.
private final class KeptStream {
    let number: Int32
    let descriptor: Int32
    private var bytes: [UInt8] = []
    private(set) var isAtEnd = false

    init(number: Int32, descriptor: Int32) {
        self.number = number
        self.descriptor = descriptor
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func read() {
        var count = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, size in
            count = systemRead(descriptor, buffer.baseAddress, buffer.count)
            size = max(0, count)
        }
        if count == 0 || count < 0 && errno != EINTR { isAtEnd = true }
        bytes += chunk
    }

    func close() {
        systemClose(descriptor)
    }
}

private func systemRead(
    _ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int
) -> Int {
    read(descriptor, buffer, count)
}

private func systemPipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }

private func systemClose(_ descriptor: Int32) {
    close(descriptor)
}
