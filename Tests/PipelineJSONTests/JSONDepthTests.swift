import Foundation
import PipelineJSON
import Testing

@Suite("O23: deeply nested values", .timeLimit(.minutes(1)))
struct JSONDepthTests {
    private static let shapes = [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")]

    private static func nested(_ depth: Int, _ opening: String, _ closing: String) -> String {
        let times = depth / opening.count { $0 == "[" || $0 == "{" }
        return String(repeating: opening, count: times) + "1"
            + String(repeating: closing, count: times)
    }

    @Test(
        "can be read, compared, searched, copied and written up to the limit",
        arguments: [512, 514, 1_000])
    func readable(depth: Int) async throws {
        for (opening, closing) in Self.shapes {
            let text = Self.nested(depth, opening, closing)
            try await onSmallStack {
                let value = try JSONValue(parsing: text)
                #expect(value.description == text)
                #expect(try JSONValue(parsing: value.prettyPrinted()) == value)
                #expect(value.detached() == value)
                #expect(value.doubledNames().isEmpty)
            }
        }
    }

    @Test(
        "are refused beyond it, where the first level too many begins", arguments: [1_002, 100_000])
    func tooDeep(depth: Int) async throws {
        for (opening, closing) in Self.shapes {
            for text in [
                Self.nested(depth, opening, closing), String(repeating: opening, count: depth),
            ] {
                try await onSmallStack {
                    let error = try #require(
                        #expect(throws: JSONError.self) { try JSONValue(parsing: text) })
                    #expect(
                        error.message == "arrays and objects are nested more than 1000 levels deep"
                    )
                    #expect(
                        error.offset == 1_000 / opening.count { $0 == "[" || $0 == "{" }
                            * opening.utf8.count)
                }
            }
        }
    }

    @Test("1,001 levels are one too many")
    func limit() {
        #expect(throws: JSONError.self) { try JSONValue(parsing: Self.nested(1_001, "[", "]")) }
        #expect(throws: JSONError.self) {
            try JSONValue(parsing: Self.nested(1_001, "{\"a\":", "}"))
        }
    }

    @Test("that were built beyond the limit can still be written and compared")
    func built() async throws {
        try await onSmallStack {
            var value: JSONValue = 1
            for _ in 0..<2_000 { value = [value] }
            #expect(value.description == Self.nested(2_000, "[", "]"))
            #expect(value == value.detached())
        }
    }

    /// Runs a body on a thread with an eighth of the smallest stack that a worker thread may have.
    private func onSmallStack(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread {
                continuation.resume(with: Result(catching: body))
            }
            thread.stackSize = 64 << 10
            thread.start()
        }
    }
}
