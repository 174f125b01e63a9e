import Foundation
import PipelineCore
import PipelineCurl
import PipelineStub

/// Runs a pipeline file and tells what happens: `swift run start-up FILE`.
///
/// A file whose `baseURL` is `stub:` is answered from its own examples.
@main
enum StartUp {
    static func main() async {
        guard let file = CommandLine.arguments.dropFirst().first else {
            print("usage: start-up FILE")
            exit(2)
        }
        do {
            let result = try await run(file)
            exit(result.isSuccess ? 0 : 1)
        } catch {
            // All that is wrong with the file, each with its line and column.
            print(error)
            exit(2)
        }
    }

    private static func run(_ file: String) async throws -> RunResult {
        var inputs = try Pipeline(contentsOfFile: file).bind()
        let server = inputs.needsStub ? try StubServer(answering: inputs) : nil
        defer { server?.stop() }
        if let server { inputs = try inputs.replacingBaseURL(server.baseURL) }

        let run = try inputs.start(transport: CurlTransport())
        for await event in run.events {
            // Secrets are not masked in it: for a terminal, not for a log that is kept.
            print(event)
        }
        return await run.result
    }
}
