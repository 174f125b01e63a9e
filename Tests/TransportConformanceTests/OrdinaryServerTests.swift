import PipelineCore
import TestSupport
import Testing

@Suite("An ordinary server", .timeLimit(.minutes(1)), .needsNginx)
struct OrdinaryServerTests {
    @Test("Exchanges in a row use one connection", arguments: TransportUnderTest.all)
    func keepAlive(_ subject: TransportUnderTest) async throws {
        let server = try NginxServer("location / { return 200 $connection_requests; }")
        let transport = try subject.make()
        for number in 1...20 {
            let record = await transport.record(try server.request("GET", "/\(number)"))
            #expect(record.bodyText == "\(number)")
            #expect(record.metrics?.isConnectionReused == (number > 1))
        }
        let deliveries = server.stop()
        #expect(deliveries.map(\.target) == (1...20).map { "/\($0)" })
        #expect(Set(deliveries.map(\.connection)).count == 1)
    }

    @Test(
        "A server that closes after each answer is taken at its word",
        arguments: TransportUnderTest.all, ["GET", "POST"])
    func closingServer(_ subject: TransportUnderTest, _ method: String) async throws {
        let server = try NginxServer("keepalive_timeout 0; location / { return 200 ok; }")
        let transport = try subject.make(row: method)
        for _ in 1...5 {
            let record = await transport.record(try server.request(method))
            #expect(record.bodyText == "ok", "\(String(describing: record.error))")
        }
        #expect(Set(server.stop().map(\.connection)).count == 5)
    }

    @Test(
        "gzip in chunks is undone, and both sizes are told", arguments: TransportUnderTest.all)
    func gzip(_ subject: TransportUnderTest) async throws {
        let server = try NginxServer("gzip on; gzip_types *; gzip_min_length 1;")
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000)
        _ = try server.write(body, as: "x.txt")
        let record = try await subject.make().record(try server.request("GET", "/x.txt"))
        #expect(record.error == nil)
        #expect(record.body == body)
        #expect(record.heads.first?.fields["Content-Encoding"] == "gzip")
        #expect(record.heads.first?.fields["Transfer-Encoding"] == "chunked")
        let metrics = try #require(record.metrics)
        #expect(metrics.decodedBodySize == body.count)
        #expect((1..<10_000).contains(metrics.wireBodySize))
    }

    @Test(
        "O10 (i), (iii): neither HEAD nor 304 has a body, and the connection stays usable",
        arguments: TransportUnderTest.all)
    func bodiless(_ subject: TransportUnderTest) async throws {
        let server = try NginxServer("location = /none { return 204; }")
        _ = try server.write(Array("content".utf8), as: "x.txt")
        let transport = try subject.make()
        let whole = await transport.record(try server.request("GET", "/x.txt"))
        #expect(whole.bodyText == "content")
        let tag = try #require(whole.heads.first?.fields["ETag"])
        let head = await transport.record(try server.request("HEAD", "/x.txt"))
        #expect(head.heads.first?.fields["Content-Length"] == "7")
        let unchanged = await transport.record(
            try server.request("GET", "/x.txt", fields: ["If-None-Match": tag]))
        #expect(unchanged.status == 304)
        let none = await transport.record(try server.request("GET", "/none"))
        #expect(none.status == 204)
        for record in [head, unchanged, none] {
            #expect(record.error == nil)
            #expect(record.body.isEmpty)
        }
        #expect(server.stop().map(\.number) == [1, 2, 3, 4])
    }

    @Test("100 KB of fields go there and come back", arguments: TransportUnderTest.all)
    func largeHeads(_ subject: TransportUnderTest) async throws {
        let value = String(repeating: "v", count: 3_400)
        let answer = (1...30).map { "add_header X-\($0) \(value);" }.joined(separator: "\n")
        let server = try NginxServer("location / { \(answer)\nreturn 200 $http_x_30; }")
        let fields = HTTPFields((1...30).map { HTTPField(name: "X-\($0)", value: value) })
        let record = try await subject.make().record(try server.request(fields: fields))
        #expect(record.error == nil)
        #expect(record.bodyText == value)
        let received = try #require(record.heads.first).fields.filter { $0.name.hasPrefix("X-") }
        #expect(received.map(\.name) == (1...30).map { "X-\($0)" })
        #expect(received.allSatisfy { $0.value == value })
        #expect(try #require(server.stop().first).requestSize > 100_000)
    }

    @Test(
        "Each method is answered by what the server has for it", arguments: TransportUnderTest.all)
    func putAndDelete(_ subject: TransportUnderTest) async throws {
        let server = try NginxServer("dav_methods PUT DELETE;")
        let transport = try subject.make()
        var statuses: [Int?] = []
        for (method, body) in [
            ("GET", nil), ("PUT", "content"), ("GET", nil), ("DELETE", nil), ("GET", nil),
        ] {
            let record = await transport.record(
                try server.request(
                    method, "/new.txt", body: body.map { .bytes(Array($0.utf8)) }))
            statuses.append(record.status)
            if record.status == 200 { #expect(record.bodyText == "content") }
        }
        #expect(statuses == [404, 201, 200, 204, 404])
    }
}
