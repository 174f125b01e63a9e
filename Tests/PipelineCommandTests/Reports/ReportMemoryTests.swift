import PipelineCore
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("How much memory reports take", .timeLimit(.minutes(1)))
    struct ReportMemoryTests {
        @Test(
            "The reports of many requests take no more than those of a few",
            .enabled(if: Folder.exists("/proc/self"), "needs what Linux tells of a process"),
            .enabled(
                if: Environment.value("PIPELINE_TESTED_PROGRAM") != nil,
                "measures the optimized program (scripts/test-installed)"))
        func peak() async throws {
            let piece = String(repeating: "x<&", count: 10_000)
            let server = try ByteServer.answering { _ in
                ByteServer.http(
                    fields: ["Content-Type": "application/json"], body: #"{"a":"\#(piece)"}"#)
            }
            let folder = try TemporaryFolder()
            let reports = WrittenReports(folder)
            func peak(of count: Int) async throws -> Int {
                let requests = (0..<count).map {
                    #"{ "name": "r\#($0)", "url": "\#(server.url("/\($0)"))" }"#
                }
                let file = try folder.write(
                    #"{ "requests": [\#(requests.joined(separator: ","))] }"#, as: "many.json")
                // It stays there when everything is written.
                let program = try Subprocess(
                    PipelineRunProgram.path, ["-q", "--watch"] + reports.options + [file])
                _ = try await program.waitForText("watching 1 file;", on: 2)
                return try program.peakMemory()
            }
            let few = try await peak(of: 20)
            let many = try await peak(of: 420)
            for kind in [ReportKind.html, .har] {
                #expect(try reports.bytes(kind).count > 12_000_000, "\(kind)")
            }
            #expect(many - few < 8_000_000, "\(few) for a few, \(many) for many")
        }
    }
}
