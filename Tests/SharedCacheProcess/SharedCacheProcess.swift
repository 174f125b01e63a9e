import PipelineCore
import TestSupport

/// One of several processes that use the folder of a cache at once.
///
/// It asks for random addresses and makes sure of every body, each of which says which process made
/// it and has a sum of its own. Begins when its standard input ends, so that all begin together, and
/// prints how many bodies came from the cache, and how many of them others had put there.
@main
struct SharedCacheProcess {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let number = UInt8(arguments[2]),
            let seed = UInt64(arguments[3]), let limit = Int(arguments[4])
        else { throw Problem(description: "usage: SharedCacheProcess FOLDER NUMBER SEED LIMIT") }
        let generator = Locked(SeededGenerator(seed: seed))
        let cache = try ResponseCache.disk(folder: arguments[1], limit: limit)
        let server = ScriptedTransport { request in
            generator.change { Self.answer(request, from: number, &$0) }
        }
        let queue = RequestQueue(
            transport: CachingTransport(server, cache: cache, user: nil), concurrency: 4,
            stopsOnFailure: false)
        while readLine() != nil {}

        var (cached, others) = (0, 0)
        for _ in 0..<200 {
            let addresses = generator.change { generator in
                (0..<4).map { _ in UInt8.random(in: 0..<20, using: &generator) }
            }
            if generator.change({ Int.random(in: 0..<10, using: &$0) }) == 0 {
                cache.remove(try HTTPURL("http://test/\(addresses[0])"))
            }
            let records = try addresses.map { address in
                (address, RequestRecord(request: try .get("http://test/\(address)")))
            }
            queue.enqueue(records.map(\.1))
            for (address, record) in records {
                try await record.waitUntilEnded()
                guard let response = record.response,
                    let body = CheckedBody(response.body), body.address == address
                else { throw Problem(description: "a torn body of /\(address)") }
                guard [.stored, .validated].contains(response.metrics.cacheUse) else { continue }
                cached += 1
                if body.maker != number { others += 1 }
            }
        }
        print("\(cached) \(others)")
    }

    /// Half of the responses are stale at once, and hold still when the server is asked.
    private static func answer(
        _ request: HTTPRequest, from number: UInt8, _ generator: inout SeededGenerator
    ) -> ScriptedTransport.Step {
        let age = Bool.random(using: &generator) ? 0 : 600
        let fields: HTTPFields = ["ETag": "\"a\"", "Cache-Control": "max-age=\(age)"]
        guard request.fields["If-None-Match"] == nil else {
            return .respond(status: 304, fields: fields)
        }
        let address = UInt8(request.url.target.dropFirst()) ?? .max
        let body = CheckedBody(maker: number, address: address, &generator)
        return .answer(HTTPResponse(head: .init(status: 200, fields: fields), body: body.bytes))
    }

    private struct Problem: Error, CustomStringConvertible {
        let description: String
    }
}

/// A body that tells whether it is whole.
private struct CheckedBody {
    let bytes: [UInt8]

    var maker: UInt8 { bytes[0] }
    var address: UInt8 { bytes[1] }

    /// A body of random length and content.
    init(maker: UInt8, address: UInt8, _ generator: inout SeededGenerator) {
        let size = Int.random(in: 0..<9_000, using: &generator)
        let content = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let body = [maker, address] + content
        bytes = body + Self.sum(body[...])
    }

    /// `nil` when its sum is another one.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 10, Array(bytes.suffix(8)) == Self.sum(bytes.dropLast(8)) else {
            return nil
        }
        self.bytes = bytes
    }

    /// FNV-1a, in eight bytes.
    private static func sum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let sum = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { sum, byte in
            (sum ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return (0..<8).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
    }
}
