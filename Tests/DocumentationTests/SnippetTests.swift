import Testing

@Suite("The code in documents")
struct SnippetTests {
    @Test("is that of the examples, and each marked region of these is shown somewhere")
    func documents() throws {
        var snippets = Snippets()
        for file in try Package.files(in: "Examples", ending: ".swift") {
            snippets.read(try Package.text(file), file: file)
        }
        var shown: Set<String> = []
        let articles = try Package.files(in: "Sources", ending: ".md")
        for file in articles + ["README.md"] {
            let text = snippets.filled(try Package.text(file), file: file, shown: &shown)
            try Package.expect(text, toBeIn: file)
        }
        #expect(snippets.problems == [])
        #expect(Set(snippets.regions.keys).subtracting(shown) == [])
        #expect(articles.count > 6)
    }

    @Test("is told apart when a region has changed, is missing or has no end")
    func differences() {
        var snippets = Snippets()
        let source = "x\n    // snippet: a\n    let b =\n        1\n\n    // end\n"
        snippets.read(source, file: "a.swift")
        #expect(snippets.regions == ["a": ["let b =", "    1", ""]])
        var shown: Set<String> = []
        let text = "# A\n<!-- snippet: a -->\n```swift\nold\n```\nend\n"
        #expect(
            snippets.filled(text, file: "a.md", shown: &shown)
                == "# A\n<!-- snippet: a -->\n```swift\nlet b =\n    1\n\n```\nend\n")
        #expect(shown == ["a"])
        #expect(snippets.problems == [])
        _ = snippets.filled("```swift\n```\n", file: "b.md", shown: &shown)
        _ = snippets.filled("<!-- snippet: z -->\n```swift\n```\n", file: "c.md", shown: &shown)
        snippets.read("// snippet: a\n// end\n// snippet: c\n", file: "b.swift")
        #expect(snippets.problems.count == 4)
    }
}
