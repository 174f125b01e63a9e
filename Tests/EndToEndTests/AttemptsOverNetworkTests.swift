import PipelineCore
import PipelineCurl
import PipelineJSON
import TestSupport
import Testing

@Suite("Attempts over a real network", .timeLimit(.minutes(1)))
struct AttemptsOverNetworkTests {
    @Test("O03: a cancel during the wait is prompt, and the server sees one request")
    func cancelDuringWait() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http(status: 503) }
        defer { server.stop() }
        let clock = ManualClock()
        let run = try pipeline(
            server, #"{ "url": "/a", "retry": { "max": 1, "interval": "20s" } }, { "url": "/b" }"#
        ).bind().start(transport: CurlTransport(), clock: clock)
        await clock.waitForSleepers()
        let cancelledAt = ContinuousClock.now
        run.cancel()
        let result = await run.result
        #expect(ContinuousClock.now - cancelledAt < .milliseconds(500))
        #expect(result.requests.map(\.outcome) == [.cancelled, .cancelled])
        #expect(result.requests[0].error?.code == .cancelled)
        #expect(server.requests.count == 1)
    }

    @Test("O38: a GET is sent again after 503 and after a reset, a POST is not")
    func methods() async throws {
        for (method, failure, expected) in [
            ("GET", "503", 3), ("POST", "503", 1), ("GET", "404", 1), ("GET", "reset", 3),
            ("POST", "reset", 1),
        ] {
            let server = try ByteServer { connection in
                while connection.readRequest() != nil {
                    guard failure != "reset" else { return connection.reset() }
                    connection.send(ByteServer.http(status: Int(failure) ?? 0))
                }
            }
            defer { server.stop() }
            let result = try await run(
                server,
                #"{ "url": "/a", "method": "\#(method)", "retry": { "max": 2, "interval": "1ms" } }"#
            )
            #expect(server.requests.count == expected, "\(method) \(failure)")
            #expect(!result.isSuccess)
        }
    }

    @Test("O38: a POST that was refused a connection is tried again, for nothing was sent")
    func refused() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        server.stop()
        let result = try await run(
            server, #"{ "url": "/a", "method": "POST", "retry": { "max": 2, "interval": "1ms" } }"#)
        #expect(result.requests[0].attemptCount == 3)
        #expect(result.requests[0].error?.transportError?.code == .cannotConnect)
    }

    @Test(
        "O38: the statuses that are tried again",
        arguments: [(408, 2), (429, 2), (500, 2), (501, 1), (502, 2), (504, 2), (404, 1)])
    func statuses(status: Int, expected: Int) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http(status: status) }
        defer { server.stop() }
        _ = try await run(server, #"{ "url": "/a", "retry": { "max": 1, "interval": "1ms" } }"#)
        #expect(server.requests.count == expected)
    }

    @Test(
        "O39: dates that have passed mean now, and what is none is ignored",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994", "-1", "1.5", "abc", "0", "",
        ])
    func retryAfterForms(value: String) async throws {
        let server = try ByteServer.answering { _ in
            ByteServer.http(status: 503, fields: ["Retry-After": value])
        }
        defer { server.stop() }
        let result = try await run(
            server, #"{ "url": "/a", "retry": { "max": 1, "interval": "2ms" } }"#)
        #expect(server.requests.count == 2)
        #expect(result.requests[0].attempts.last?.wait == .milliseconds(2))
    }

    @Test(
        "O38: a connection that breaks within the TLS handshake is tried again, whatever the method"
    )
    func brokenHandshake() async throws {
        let connections = Locked(0)
        let server = try ByteServer { connection in
            connections.change { $0 += 1 }
            // Until the client has said hello.
            connection.pause(milliseconds: 5_000)
            connection.reset()
        }
        defer { server.stop() }
        let text = """
            { "requests": [{ "url": "https://127.0.0.1:\(server.port)/a", "method": "POST",
                "retry": { "max": 2, "interval": "1ms" } }] }
            """
        let result = try await Pipeline(parsing: Array(text.utf8), name: "a")
            .run(transport: CurlTransport())
        #expect(result.requests[0].error?.transportError?.code == .connectionLost)
        #expect(result.requests[0].error?.transportError?.isBeforeSending == true)
        #expect(result.requests[0].attemptCount == 3)
        #expect(connections.value == 3)
    }

    @Test("O39: Retry-After is waited for")
    func retryAfter() async throws {
        let server = try ByteServer { connection in
            _ = connection.readRequest()
            connection.send(ByteServer.http(status: 503, fields: ["Retry-After": "1"]))
            _ = connection.readRequest()
            connection.send(ByteServer.http())
        }
        defer { server.stop() }
        let result = try await run(
            server, #"{ "url": "/a", "retry": { "max": 1, "interval": "1ms" } }"#)
        #expect(result.isSuccess)
        #expect(result.requests[0].attempts.last?.wait == .seconds(1))
        #expect(result.requests[0].duration ?? .zero >= .seconds(1))
    }

    @Test("O40: no wait and no attempt outlives the deadline")
    func deadline() async throws {
        let server = try ByteServer { connection in
            while let request = connection.readRequest() {
                switch request.target {
                case "/long":
                    connection.send(ByteServer.http(status: 503, fields: ["Retry-After": "86400"]))
                case "/busy": connection.send(ByteServer.http(status: 503))
                default: connection.waitForPeerClose()
                }
            }
        }
        defer { server.stop() }
        for (path, code) in [
            ("/long", RequestError.Code.expectation), ("/busy", .expectation), ("/hang", .deadline),
        ] {
            let begin = ContinuousClock.now
            let result = try await run(
                server,
                #"{ "url": "\#(path)", "timeout": "10s", "#
                    + #""retry": { "max": 50, "interval": "100ms", "backoff": 2 } }"#,
                keys: #""deadline": "600ms","#)
            #expect(ContinuousClock.now - begin < .milliseconds(1_100))
            #expect(result.requests[0].error?.code == code, "\(path)")
        }
    }

    @Test("O13: a dead connection costs no attempt, and no POST arrives twice")
    func deadConnections() async throws {
        for method in ["GET", "POST"] {
            // The second request on a connection is read and then answered by a reset.
            let server = try ByteServer { connection in
                guard connection.readRequest() != nil else { return }
                connection.send(ByteServer.http())
                guard connection.readRequest() != nil else { return }
                connection.reset()
            }
            defer { server.stop() }
            let result = try await run(
                server, #"{ "url": "/a" }"#,
                #"{ "name": "b", "url": "/b", "method": "\#(method)", "retry": { "max": 5 } }"#)
            let deliveries = server.requests.count { $0.target == "/b" }
            if method == "GET" {
                #expect(result.isSuccess)
                #expect(result["b"]?.attemptCount == 1)
                #expect(deliveries == 2)
            } else {
                #expect(result["b"]?.error?.transportError?.code == .connectionLost)
                #expect(deliveries == 1)
            }
        }
    }

    @Test("O17: a body that drips is cut off, redirects included")
    func drips() async throws {
        let server = try ByteServer { connection in
            while let request = connection.readRequest() {
                guard request.target != "/a" else {
                    connection.send(ByteServer.http(status: 302, fields: ["Location": "/b"]))
                    continue
                }
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
                while connection.send("x") { connection.pause(milliseconds: 20) }
            }
        }
        defer { server.stop() }
        let begin = ContinuousClock.now
        let result = try await run(server, #"{ "url": "/a", "timeout": "300ms" }"#)
        #expect(ContinuousClock.now - begin < .milliseconds(800))
        let message = result.requests[0].error?.message ?? ""
        #expect(result.requests[0].error?.transportError?.code == .timedOut)
        #expect(message.contains("of 1000 bytes"), "\(message)")
        #expect(message.hasPrefix("timed out after 300 ms"), "\(message)")
        #expect(message.hasSuffix("after 1 redirect in the same attempt"), "\(message)")
    }

    @Test("O20: a captured value that would forge a line is refused, and nothing is sent")
    func forgery() async throws {
        let server = try ByteServer.answering { _ in
            ByteServer.http(body: #"{"t":"v\r\nX-Evil: 1"}"#)
        }
        defer { server.stop() }
        for use in [
            #""headers": { "X": "{{t}}" }"#, #""auth": { "bearer": "{{t}}" }"#,
            #""cookies": { "c": "{{t}}" }"#,
            #""auth": { "digest": { "username": "{{t}}", "password": "p" } }"#,
            #""body": { "multipart": { "a": { "text": "b", "contentType": "{{t}}" } } }"#,
        ] {
            let before = server.requests.count
            let result = try await run(
                server, #"{ "url": "/a", "captures": { "t": "$.t" } }"#,
                #"{ "name": "b", "url": "/b", \#(use) }"#)
            #expect(result["b"]?.error?.code == .invalidRequest, "\(use)")
            #expect(server.requests.count == before + 1, "\(use)")
            let message = result["b"]?.error?.findings.first?.message ?? ""
            #expect(message.contains("{{t}}"), "\(use): \(message)")
            #expect(!message.contains("X-Evil"))
        }
    }

    @Test("Digest: one challenge serves all requests of a run, with a count that grows")
    func digest() async throws {
        let server = try ByteServer.answering { request in
            guard request.fields["Authorization"] != nil else {
                return ByteServer.http(
                    status: 401,
                    fields: [
                        "WWW-Authenticate": #"Digest realm="r", nonce="n1", qop="auth""#
                    ])
            }
            return ByteServer.http()
        }
        defer { server.stop() }
        let auth = #""auth": { "digest": { "username": "ada", "password": "secret" } }"#
        let result = try await run(
            server, #"{ "url": "/a", \#(auth) }"#, #"{ "url": "/b?x=1", \#(auth) }"#)
        #expect(result.isSuccess)
        #expect(server.requests.map(\.target) == ["/a", "/a", "/b?x=1"])
        let proofs = server.requests.compactMap { $0.fields["Authorization"] }
        #expect(proofs.map { $0.contains("nc=00000001") } == [true, false])
        #expect(proofs.last?.contains(#"uri="/b?x=1""#) ?? false)
        #expect(proofs.last?.contains("nc=00000002") ?? false)
        #expect(result.requests[0].attempts.first?.exchanges.count == 2)
        #expect(result.requests[0].attempts.first?.redirects == [])
    }

    @Test("Digest: when the nonce changes, each of several requests in flight learns it")
    func staleDigest() async throws {
        let seen = Locked<[String]>([])
        let server = try ByteServer.answering { request in
            let proof = request.fields["Authorization"] ?? ""
            let nonce = seen.value.count < 3 ? "n1" : "n2"
            guard proof.contains("nonce=\"\(nonce)\"") else {
                return ByteServer.http(
                    status: 401,
                    fields: [
                        "WWW-Authenticate":
                            #"Digest realm="r", nonce="\#(nonce)", qop="auth", stale=true"#
                    ])
            }
            seen.change { $0.append(request.target) }
            return ByteServer.http()
        }
        defer { server.stop() }
        let requests = (1...9).map {
            #"{ "url": "/\#($0)", "auth": { "digest": { "username": "a", "password": "secret" } } }"#
        }
        let result = try await run(
            server, requests.joined(separator: ","), keys: #""concurrency": 4,"#)
        #expect(result.isSuccess, "\(result.requests.compactMap(\.error))")
    }

    @Test("Digest: wrong credentials are refused once, not for ever")
    func wrongDigest() async throws {
        let server = try ByteServer.answering { _ in
            ByteServer.http(
                status: 401,
                fields: [
                    "WWW-Authenticate":
                        #"Digest realm="r", nonce="n\#(Int.random(in: 0...9999))""#
                ])
        }
        defer { server.stop() }
        let result = try await run(
            server,
            #"{ "url": "/a", "auth": { "digest": { "username": "ada", "password": "wrong" } } }"#)
        #expect(server.requests.count == 2)
        #expect(
            result.requests[0].error?.message == "expected status 2xx, got 401 Unauthorized")
    }
}
