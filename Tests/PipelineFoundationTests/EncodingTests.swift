import Foundation
import PipelineCore
import PipelineFoundation
import PipelineJSON
import Testing

@Suite("Encoding values as JSON")
struct EncodingTests {
    private struct User: Encodable {
        let name: String
        let born: Date
    }

    @Test("gives what the encoder writes, for the body of a request")
    func body() throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = .sortedKeys
        let user = User(name: "Ada \"L\"", born: Date(timeIntervalSince1970: 9_007_199_254))
        let value = try JSONValue(encoding: user, using: encoder)
        let request = try HTTPRequest.post("https://example.com/users", json: value)
        #expect(
            request.body == .bytes(Array(#"{"born":9007199254,"name":"Ada \"L\""}"#.utf8)))
    }

    @Test("takes texts, numbers, arrays and nothing")
    func simple() throws {
        #expect(try JSONValue(encoding: "a") == "a")
        #expect(try JSONValue(encoding: [1, 2]) == [1, 2])
        #expect(try JSONValue(encoding: Int64.max).sourceText == "9223372036854775807")
        #expect(try JSONValue(encoding: Int?.none).isNull)
    }

    @Test("throws what the encoder throws")
    func failure() {
        #expect(throws: EncodingError.self) { try JSONValue(encoding: Double.infinity) }
    }
}
