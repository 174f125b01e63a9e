import PipelineJSON
import Testing

@Suite("O23: JSONPath and depth", .timeLimit(.minutes(1)))
struct JSONPathDepthTests {
    private static func nested(_ depth: Int, _ opening: String, _ closing: String) -> String {
        String(repeating: opening, count: depth) + String(repeating: closing, count: depth)
    }

    @Test("a value of 1,000 levels is searched on a small stack")
    func deepValues() async throws {
        let value = try JSONValue(parsing: Self.nested(1_000, "[", "]"))
        try await onSmallStack {
            let nodes = try JSONPath("$..*").locatedNodes(in: value)
            #expect(nodes.count == 999)
            #expect(nodes.last?.path.utf8.count == "$".count + 999 * "[0]".count)
            #expect(try JSONPath("$[?count(@..*) > 10]").nodes(in: value).count == 1)
            #expect(try JSONPath("$..[?@ == $]").nodes(in: value).isEmpty)
        }
    }

    @Test(
        "filters, parentheses and functions may be nested up to a limit, on a small stack too",
        arguments: [
            ("$", "[?@", "]", 32), ("$[?", "!(", ")]", 31), ("$[?", "length(", ")==1]", 31),
        ])
    func deepPaths(start: String, opening: String, closing: String, limit: Int) async throws {
        let close = String(closing.prefix(1))
        let rest = String(closing.dropFirst())
        let path: @Sendable (Int) -> String = { depth in
            start + String(repeating: opening, count: depth) + (close == "]" ? "" : "@")
                + String(repeating: close, count: depth) + rest
        }
        let value = try JSONValue(parsing: Self.nested(100, "[", "]"))
        try await onSmallStack(512 << 10) {
            let nodes = try JSONPath(path(limit)).nodes(in: value)
            #expect(nodes.count == (close == "]" ? 1 : 0))
            for depth in [limit + 1, 100_000] {
                let error = #expect(throws: JSONPathError.self) { try JSONPath(path(depth)) }
                #expect(
                    error?.message
                        == "filters, parentheses and functions are nested more than 32 levels deep")
            }
        }
    }
}
