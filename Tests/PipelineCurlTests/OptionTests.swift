import PipelineCore
import PipelineCurl
import TestSupport
import Testing

@Suite("What holds for all exchanges of a transport over libcurl", .timeLimit(.minutes(1)))
struct OptionTests {
    @Test("A name is sent as User-Agent unless the request has one of its own")
    func userAgent() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        var options = CurlTransport.Options()
        #expect(options.userAgent == "PipelineCore")
        options.userAgent = "test"
        let transport = CurlTransport(options)
        for fields: HTTPFields in [[:], ["User-Agent": "mine"], [:]] {
            _ = await transport.record(try server.request(fields: fields))
        }
        #expect(server.requests.map { $0.fields["User-Agent"] } == ["test", "mine", "test"])
    }
}
