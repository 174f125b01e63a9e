import Foundation
import PipelineJSON

/// Parses 25 MB of what an API answers with PipelineJSON and with Foundation, in turn.
@main
enum Parsing {
    struct Item: Decodable {
        struct Owner: Decodable {
            let name: String
            let active: Bool
        }

        let id: Int
        let title: String
        let price: Double
        let tags: [String]
        let owner: Owner
    }

    static func main() throws {
        let text = document(bytes: 25_000_000)
        let data = Data(text)
        let path = try JSONPath("$[*].owner.name")
        let value = try JSONValue(parsing: text)
        try report("PipelineJSON, parse", text.count) { _ = try JSONValue(parsing: text) }
        try report("PipelineJSON, parse and $[*].owner.name", text.count) {
            _ = path.nodes(in: try JSONValue(parsing: text)).count
        }
        try report("PipelineJSON, $[*].owner.name alone", text.count) {
            _ = path.nodes(in: value).count
        }
        try report("Foundation, JSONSerialization", text.count) {
            _ = try JSONSerialization.jsonObject(with: data)
        }
        try report("Foundation, JSONDecoder", text.count) {
            _ = try JSONDecoder().decode([Item].self, from: data)
        }
    }

    private static func document(bytes: Int) -> [UInt8] {
        var text = Array("[".utf8)
        var id = 0
        while text.count < bytes {
            id += 1
            text += (id > 1 ? "," : "").utf8
            text +=
                """
                {"id":\(id),"title":"Item number \(id) of a long list","price":\(id % 97).25,\
                "tags":["red","blue","größe"],"owner":{"name":"Ada \(id)","active":true}}
                """.utf8
        }
        return text + Array("]".utf8)
    }

    /// Prints the median of seven runs.
    private static func report(_ name: String, _ bytes: Int, _ work: () throws -> Void) throws {
        let clock = ContinuousClock()
        let times = try (0..<7).map { _ in try clock.measure(work) }.sorted()
        let seconds = times[3] / .seconds(1)
        let speed = Double(bytes) / 1e6 / seconds
        let label = name.padding(toLength: 42, withPad: " ", startingAt: 0)
        print("\(label) \(Int(seconds * 1_000)) ms  \(Int(speed)) MB/s")
    }
}
