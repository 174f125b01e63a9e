import PipelineCore
import PipelineStub
import Testing

@Suite("The stub server and broken requests", .timeLimit(.minutes(1)))
struct StubMalformedRequestTests {
    @Test(
        "are answered by a reason, and the connection is closed",
        arguments: [
            ("GET /\r\n\r\n", 400),
            ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400),
            ("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            (" / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET / HTTP/1.x\r\nHost: a\r\n\r\n", 400),
            ("GET / http/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET /\u{7F} HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
            ("GET / HTTP/1.1\nHost: a\n\n", 400),
            ("\n", 400),
            ("GET / HTTP/1.1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n", 400),
            ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
            ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\nx", 400),
            ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n", 400),
            ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", 400),
            ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 67108865\r\n\r\n", 413),
            ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
            ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
            ("PUT / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
            (
                "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
                400
            ),
            ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400),
            ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", 400),
            ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", 400),
            ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4000001\r\n", 413),
            (
                "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
                413
            ),
        ])
    func malformed(bytes: String, status: Int) throws {
        let server = try StubServer(routes: [.get("/", method: "PUT"), .get("/")])
        let client = try StubClient(port: server.port)
        client.write(bytes)
        let response = try client.response()
        #expect(response.status == status)
        #expect(response.fields["Connection"] == "close")
        #expect(response.body.hasPrefix(#"{"error":""#))
        client.endSending()
        #expect(client.isAtEnd())
        #expect(server.requests.isEmpty)
    }

    @Test("a head longer than 64 KiB is refused, however it is made, and the answer arrives")
    func oversizedHead() throws {
        let server = try StubServer(routes: [.get("/")])
        let filler = String(repeating: "a", count: 300_000)
        let lines = String(repeating: "Field: value\r\n", count: 30_000)
        for head in [
            filler, "GET /\(filler) HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nX: \(filler)\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n",
            String(repeating: "\r\n", count: 100_000),
            "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + lines,
        ] {
            let client = try StubClient(port: server.port)
            client.write(head)
            #expect(try client.response().status == 431)
        }
        #expect(server.requests.isEmpty)
    }

    @Test("a head of almost 64 KiB is accepted")
    func largestHead() throws {
        let server = try StubServer(routes: [.get("/")])
        let client = try StubClient(port: server.port)
        let filler = String(repeating: "a", count: 65_000)
        #expect(try client.request("GET", "/", fields: ["X": filler]).status == 200)
        #expect(try client.request("GET", "/", fields: ["X": filler]).status == 200)
    }

    @Test("empty lines before a request are skipped")
    func leadingEmptyLines() throws {
        let server = try StubServer(routes: [.get("/")])
        let client = try StubClient(port: server.port)
        client.write("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.response().status == 200)
    }

    @Test("2,000 connections of random bytes leave the server alive")
    func fuzz() throws {
        let seed = UInt64.random(in: .min ... .max)
        // Before anything else, since a server that traps takes the whole process with it.
        print("seed of the random requests: \(seed)")
        var random = SplitMix64(state: seed)
        let server = try StubServer(routes: [.get("/", "alive"), .get("/", method: "POST")])
        for _ in 0..<2_000 {
            let client = try StubClient(port: server.port)
            if random.next() % 4 == 0 { client.resetsWhenClosed() }
            for _ in 0..<(random.next() % 4) {
                client.write(random.requestLikeBytes())
            }
            if random.next() % 4 == 0 { client.endSending() }
        }
        let client = try StubClient(port: server.port)
        let body = try client.request("GET", "/").body
        #expect(body == "alive", "seed \(seed)")
    }
}

/// A generator whose sequence can be had again from its seed.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Noise, pieces of requests, or a request with some bytes changed.
    mutating func requestLikeBytes() -> [UInt8] {
        let pieces = [
            "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\n", "Host: a\r\n", "Content-Length: 5\r\n",
            "Transfer-Encoding: chunked\r\n", "Expect: 100-continue\r\n", "Connection: close\r\n",
            "\r\n", "\r\n\r\n", "5\r\nhello\r\n", "0\r\n\r\n", "ffffffff\r\n", "\n", "\0", ": ",
        ]
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0..<12, using: &self) {
            bytes += pieces.randomElement(using: &self).map { Array($0.utf8) } ?? []
        }
        for _ in 0..<Int.random(in: 0..<3, using: &self) {
            let index = Int.random(in: 0...bytes.count, using: &self)
            bytes.insert(UInt8.random(in: .min ... .max, using: &self), at: index)
        }
        if Bool.random(using: &self) { return bytes }
        return (0..<Int.random(in: 0..<200, using: &self)).map { _ in
            UInt8.random(in: .min ... .max, using: &self)
        }
    }
}
