import Foundation
import Testing

@Suite("The example programs", .timeLimit(.minutes(1)))
struct ProgramTests {
    @Test(
        "print what their documentation shows",
        arguments: [
            ("seeds", ["Examples/README.md", "README.md"], 0),
            ("start-up pipelines/home-screen-failing.json", ["Examples/README.md"], 1),
            ("start-up pipelines/home-screen.json", ["Examples/README.md"], 0),
        ])
    func output(words: String, documents: [String], status: Int32) async throws {
        let outcome = try Package.run(words)
        #expect(outcome.status == status)
        for document in documents {
            #expect(try outcome.output == Package.shownOutput(of: words, in: document))
        }
    }

    @Test("say how they are used, and what is wrong with a file")
    func usage() async throws {
        let outcome = try Package.run("start-up")
        #expect(outcome.status == 2)
        #expect(outcome.output == "usage: start-up FILE\n")
        let missing = try Package.run("start-up none.json")
        #expect(missing.status == 2)
        #expect(missing.output.contains("none.json"))
    }
}
