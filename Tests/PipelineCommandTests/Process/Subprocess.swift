import PipelineCore
import Synchronization
import TestSupport

@testable import PipelineCommand

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
///
/// Waiting for it takes a thread of its own, so that the threads of the other tests go on.
final class Subprocess: Sendable {
    /// Where one of its output streams goes.
    enum Destination {
        /// Kept for the test.
        case kept
        /// To a file or a device.
        case path(String)
        /// To a pipe that nobody reads any more.
        case abandoned
        /// To this descriptor, which stays the test's.
        case descriptor(Int32)
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
    private let state: Mutex<State>

    fileprivate struct State {
        var streams: [KeptStream] = []
        var hasEnded = false
    }

    /// Starts a program with the environment of the test and these changes to it.
    init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:],
        input: String = "/dev/null", output: Destination = .kept, errors: Destination = .kept
    ) throws {
        var actions = SpawnActions()
        defer { actions.destroy() }
        actions.open(0, input, O_RDONLY)
        var unused: [Int32] = []
        var streams: [KeptStream] = []
        defer { for descriptor in unused { close(descriptor) } }
        for (number, destination) in [(Int32(1), output), (2, errors)] {
            switch destination {
            case .path(let path): actions.open(number, path, O_WRONLY)
            case .closed: actions.close(number)
            case .descriptor(let descriptor): actions.duplicate(descriptor, as: number)
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
        state = Mutex(State(streams: streams))
        // A pipe that is abandoned must have no reader before the program writes to it; the
        // program starts at the same time, so a test must not rely on its very first line.
    }

    deinit {
        state.withLock { state in
            if !state.hasEnded {
                kill(process, SIGKILL)
                waitpid(process, nil, 0)
            }
            for stream in state.streams { systemClose(stream.descriptor) }
        }
    }

    /// Sends the program a signal.
    func send(_ signal: Int32) {
        kill(process, signal)
    }

    /// The most memory that it took so far, in bytes, as Linux tells it.
    func peakMemory() throws -> Int {
        let status = try FileBytes.read("/proc/\(process)/status", limit: 1 << 16)
        let line = String(decoding: status, as: UTF8.self).firstMatch(of: /VmHWM:\s+(\d+) kB/)
        guard let count = line.flatMap({ Int($0.1) }) else {
            throw Failure(message: "the system does not tell how much memory it takes")
        }
        return count * 1024
    }

    /// How many files, pipes and sockets it has open, as Linux tells it.
    func descriptorCount() -> Int? { Folder.names(in: "/proc/\(process)/fd")?.count }

    /// Waits until one of its streams holds that text, and returns all of it so far.
    func waitForText(_ text: String, on number: Int32 = 1) async throws -> String {
        try await BlockingThread.run { [self] in
            try state.withLock { state in
                try state.read { $0.text(number).contains(text) }
                let found = state.text(number)
                guard found.contains(text) else {
                    throw Failure(message: "it ended without \"\(text)\": \(found)")
                }
                return found
            }
        }
    }

    /// Waits for the end of the program.
    func waitForEnd() async throws -> Outcome {
        try await BlockingThread.run { [self] in
            try state.withLock { state in
                try state.read { _ in false }
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0 {
                    guard errno == EINTR else { throw Failure(message: "waitpid failed") }
                }
                state.hasEnded = true
                let signal = status & 0x7F
                return Outcome(
                    status: signal == 0 ? status >> 8 & 0xFF : 128 + signal,
                    output: state.text(1), errors: state.text(2))
            }
        }
    }

    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard systemPipe(&ends) == 0 else { throw Failure(message: "there is no pipe left") }
        return (ends[0], ends[1])
    }
}

extension Subprocess.State {
    /// What came through the stream of that number.
    fileprivate func text(_ number: Int32) -> String {
        let bytes = streams.first { $0.number == number }?.bytes ?? []
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads what comes until there is enough, or until the program has closed its streams.
    fileprivate mutating func read(until isEnough: (Self) -> Bool) throws {
        let limit = ContinuousClock.now + .seconds(20)
        while !isEnough(self) {
            let open = streams.indices.filter { !streams[$0].isAtEnd }
            if open.isEmpty { return }
            var waiting = open.map {
                pollfd(fd: streams[$0].descriptor, events: Int16(POLLIN), revents: 0)
            }
            poll(&waiting, nfds_t(waiting.count), 100)
            for (index, state) in zip(open, waiting) where state.revents != 0 {
                streams[index].read()
            }
            guard ContinuousClock.now < limit else {
                throw Subprocess.Failure(
                    message: "it still ran after 20 seconds:\n\(text(1))\n\(text(2))")
            }
        }
    }
}

/// What came through one stream.
private struct KeptStream {
    let number: Int32
    let descriptor: Int32
    private(set) var bytes: [UInt8] = []
    private(set) var isAtEnd = false

    init(number: Int32, descriptor: Int32) {
        self.number = number
        self.descriptor = descriptor
    }

    mutating func read() {
        var count = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, size in
            count = systemRead(descriptor, buffer.baseAddress, buffer.count)
            size = max(0, count)
        }
        if count == 0 || count < 0 && errno != EINTR { isAtEnd = true }
        bytes += chunk
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
