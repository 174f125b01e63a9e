import PipelineCore
import Synchronization
import TestSupport
import Testing

@testable import PipelineCommand

@Suite("The parts of a report")
struct SectionWriterTests {
    /// Writes the position of each request, as long as is asked for.
    private struct Numbers: ReportFormat, ReportSection {
        var size = 0
        /// Which of the positions are written.
        var stride = 1
        let itemSeparator = ","

        func section(of file: ReportedFile) -> any ReportSection { self }
        func beginning(of run: ReportedRun) -> [UInt8] { [] }
        func end(of run: ReportedRun) -> [UInt8] { [] }

        func write(_ request: ReportedRequest, to text: inout [UInt8]) {
            guard request.position.isMultiple(of: stride) else { return }
            text += "\(request.position)".utf8
            text += [UInt8](repeating: UInt8(ascii: "x"), count: size)
        }

        func frame(_ summary: ReportedSummary, hasItems: Bool) -> ReportFrame {
            ReportFrame(before: Array("[".utf8), after: Array("]".utf8))
        }
    }

    private static func request(_ position: Int) throws -> ReportedRequest {
        let pipeline = try Pipeline(
            parsing: Array(#"{"requests":[{"url":"http://a/"}]}"#.utf8), name: "a.json")
        let snapshot = RequestSnapshot(
            try #require(pipeline.requests.first), position: position, isFinally: false)
        let reporter = RequestReporter(
            source: pipeline.source, redactor: Redactor(), isInsecure: false)
        return ReportedRequest(snapshot, reporter, notStarted: nil)
    }

    private static let summary = ReportedSummary(
        file: ReportedFile(
            number: 0, name: "a", title: "a", precedingCount: 0, itemCount: 0, isStub: false,
            isInsecure: false, startedAt: .now, offset: .zero),
        ending: .ran(interruption: nil), duration: .zero, counts: [:], unmetCount: 0,
        exitCode: .success)

    @Test(
        "Requests come out in the order of the file, in whichever order they ended",
        arguments: [[], [0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [1, 0, 2, 4, 3], [2, 3, 4, 0, 1]],
        [0, 300_000])
    func order(positions: [Int], size: Int) throws {
        let folder = try TemporaryPath()
        let target = try ReportTarget(folder.path)
        let format = Numbers(size: size)
        let spool = try target.makeSpool()
        let writer = SectionWriter(
            format, itemSeparator: format.itemSeparator, spool: spool)
        for position in positions { writer.write(try Self.request(position)) }
        writer.end(Self.summary)
        let failure = target.write(until: Interruption()) { writer.join(into: &$0) }
        #expect(failure == nil)
        #expect(spool.failure == nil)
        let written = try FileBytes.read(folder.path, limit: 1 << 30)
        let text = String(decoding: written.filter { $0 != UInt8(ascii: "x") }, as: UTF8.self)
        #expect(text == "[\(positions.sorted().map(String.init).joined(separator: ","))]")
        #expect(written.count == text.utf8.count + positions.count * size)
    }

    @Test(
        "A request for which nothing is written has no separator",
        arguments: [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [1, 0, 3, 2], [1, 2, 3], [1, 3], []])
    func nothingWritten(positions: [Int]) throws {
        let folder = try TemporaryPath()
        let target = try ReportTarget(folder.path)
        let format = Numbers(stride: 2)
        let spool = try target.makeSpool()
        let writer = SectionWriter(format, itemSeparator: format.itemSeparator, spool: spool)
        for position in positions { writer.write(try Self.request(position)) }
        writer.end(Self.summary)
        #expect(target.write(until: Interruption()) { writer.join(into: &$0) } == nil)
        let text = String(decoding: try FileBytes.read(folder.path, limit: 1 << 20), as: UTF8.self)
        let even = positions.filter { $0.isMultiple(of: 2) }.sorted()
        #expect(text == "[\(even.map(String.init).joined(separator: ","))]")
    }

    @Test("Work is done in its order, and all of it before the end")
    func serialThread() {
        let done = Recorded()
        let thread = SerialThread()
        for number in 0..<100 { thread.perform { done.add(number) } }
        thread.finish()
        #expect(done.numbers == Array(0..<100))
    }
}

/// A path for one report in a folder of its own.
private struct TemporaryPath {
    private let folder: TemporaryFolder
    var path: String { folder.file("report") }

    init() throws {
        folder = try TemporaryFolder()
    }
}

/// What was done so far.
private final class Recorded: Sendable {
    private let state = Mutex<[Int]>([])
    var numbers: [Int] { state.withLock(\.self) }

    func add(_ number: Int) {
        state.withLock { $0.append(number) }
    }
}
