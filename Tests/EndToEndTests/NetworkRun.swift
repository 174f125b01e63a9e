import PipelineCore
import PipelineCurl
import PipelineJSON
import TestSupport

/// Runs a pipeline of these requests, with addresses relative to the server's.
func run(
    _ server: ByteServer, _ requests: String..., keys: String = "",
    variables: [String: JSONValue] = [:]
) async throws -> RunResult {
    try await pipeline(server, requests.joined(separator: ","), keys)
        .run(variables: variables, transport: CurlTransport())
}

/// A pipeline of these requests, with addresses relative to the server's.
func pipeline(
    _ server: ByteServer, _ requests: String, _ keys: String = ""
) throws(PipelineError) -> Pipeline {
    let text = #"{ "baseURL": "\#(server.url(""))", \#(keys) "requests": [\#(requests)] }"#
    return try Pipeline(parsing: Array(text.utf8), name: "test.json")
}
