import Testing

@Suite("The listing of the public API")
struct APIListingTests {
    @Test(
        "is what the compiler says", .timeLimit(.minutes(1)),
        .enabled(
            if: SymbolGraphExtractor.isAvailable,
            "needs swift-symbolgraph-extract, and the modules beside the tests"))
    func listing() throws {
        let modules = ["PipelineCore", "PipelineFoundation", "PipelineCurl", "PipelineStub"]
        let listings = try modules.map { module in
            let graphs = try SymbolGraphExtractor.graphs(of: module)
            #expect(!graphs.isEmpty)
            return APIListing(module, graphs).text
        }
        let head = """
            # Public API

            What an app can use, by module, folder and line of the source, in the order in which an
            app gets to know it; `PipelineJSON`, which reads and writes JSON, is left out. Written by
            `scripts/api` from what the compiler says; a test keeps it true. What each thing means is
            in its documentation comment.


            """
        try Package.expect(head + listings.joined(separator: "\n"), toBeIn: "Documentation/API.md")
    }

    @Test(
        "has nothing without a documentation comment", .timeLimit(.minutes(1)),
        .enabled(
            if: SymbolGraphExtractor.isAvailable,
            "needs swift-symbolgraph-extract, and the modules beside the tests"),
        arguments: [
            "PipelineJSON", "PipelineCore", "PipelineFoundation", "PipelineCurl", "PipelineStub",
        ])
    func comments(module: String) throws {
        let symbols = try SymbolGraphExtractor.graphs(of: module).flatMap(\.symbols)
            .filter { $0.location != nil }
        #expect(!symbols.isEmpty)
        let bare = symbols.filter { $0.docComment == nil }
        #expect(bare.map { $0.pathComponents.joined(separator: ".") } == [])
    }

    @Test(
        "breaks long declarations at their parameters",
        arguments: [
            ("func a()", ["func a()"]),
            (
                "func download(_ url: HTTPURL, told: @escaping (Int, Int?) -> Void = { _, _ in }, "
                    + "b: [A<B, C>] = [], limit: Int = 1 << 20) throws -> D",
                [
                    "func download(", "    _ url: HTTPURL,",
                    "    told: @escaping (Int, Int?) -> Void = { _, _ in },",
                    "    b: [A<B, C>] = [],", "    limit: Int = 1 << 20", ") throws -> D",
                ]
            ),
        ])
    func wrapping(declaration: String, lines: [String]) {
        #expect(DeclarationText(declaration).lines == lines)
    }
}
