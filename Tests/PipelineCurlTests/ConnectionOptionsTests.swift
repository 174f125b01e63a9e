import PipelineCore
import PipelineCurl
import TestSupport
import Testing

@Suite("How connections are made", .timeLimit(.minutes(1)))
struct ConnectionOptionsTests {
    private static func request(
        _ url: String, _ change: (inout ConnectionOptions) -> Void
    ) throws -> HTTPRequest {
        var request = HTTPRequest(url: try HTTPURL(url), timeout: .seconds(20))
        change(&request.connection)
        return request
    }

    @Test("A name is given an address for the requests that say so, and for no others")
    func resolution() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http(body: "ok") }
        let other = try ByteServer(.ipv6) { $0.close() }
        let url = "http://api.test:\(server.port)/"
        let transport = CurlTransport()
        let named = try Self.request(url) {
            $0.resolutions = ["other.test:1:192.0.2.1", "api.test:\(server.port):127.0.0.1"]
        }
        for _ in 1...2 { #expect(await transport.record(named).bodyText == "ok") }
        let host = "api.test:\(server.port)"
        #expect(server.requests.map { $0.fields["Host"] } == [host, host])
        #expect(server.connectionCount == 1)

        // Neither a name that is remembered nor a connection that is kept.
        let error = try #require(await transport.record(try Self.request(url) { _ in }).error)
        #expect(error.code == .cannotResolve)
        let elsewhere = try Self.request(url) {
            $0.resolutions = ["api.test:\(server.port):::1"]
        }
        #expect(await transport.record(elsewhere).error != nil)
        #expect(await transport.record(named).bodyText == "ok")
        #expect(server.requests.count == 3)
        _ = other
    }

    @Test("A connection is made to another place, and what is sent stays the same")
    func reroute() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http(body: "ok") }
        let transport = CurlTransport()
        for reroutes in [
            ["api.test:80:127.0.0.1:\(server.port)"], ["::127.0.0.1:\(server.port)"],
            ["x.test:80:127.0.0.1:1", "api.test::127.0.0.1:\(server.port)"],
        ] {
            let request = try Self.request("http://api.test/") { $0.reroutes = reroutes }
            #expect(await transport.record(request).bodyText == "ok")
        }
        let both = try Self.request("http://api.test/") {
            $0.reroutes = ["api.test:80:other.test:\(server.port)"]
            $0.resolutions = ["other.test:\(server.port):127.0.0.1"]
        }
        #expect(await transport.record(both).bodyText == "ok")
        #expect(Set(server.requests.map { $0.fields["Host"] }) == ["api.test"])
    }

    @Test("A failure names the other place, and whose it is")
    func failureElsewhere() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        server.stop()
        let transport = CurlTransport()
        for (reroutes, message) in [
            (
                ["::127.0.0.1:\(server.port)"],
                "connection refused at 127.0.0.1:\(server.port), to which api.test:80 is directed"
            ),
            (
                ["::[::1]:\(server.port)"],
                "connection refused at [::1]:\(server.port), to which api.test:80 is directed"
            ),
            (
                ["api.test:80:no-such-host.invalid:1"],
                "could not resolve host no-such-host.invalid, to which api.test:80 is directed"
            ),
        ] {
            let request = try Self.request("http://api.test/") { $0.reroutes = reroutes }
            let error = try #require(await transport.record(request).error)
            #expect(error.message == message)
            #expect(error.isBeforeSending)
        }
    }

    @Test("A kind of addresses is kept to")
    func addressFamily() async throws {
        let server = try ByteServer(.ipv6) { connection in
            while connection.readRequest() != nil { connection.send(ByteServer.http(body: "six")) }
        }
        let transport = CurlTransport()
        let six = try Self.request("http://[::1]:\(server.port)/") { $0.addressFamily = .ipv6 }
        #expect(await transport.record(six).bodyText == "six")
        let four = try Self.request("http://api.test:\(server.port)/") {
            $0.addressFamily = .ipv4
            $0.resolutions = ["api.test:\(server.port):[::1]"]
        }
        let error = try #require(await transport.record(four).error)
        #expect(error.isBeforeSending)
        #expect(error.message.contains("IPv4"), "\(error.message)")
        let name = try Self.request("http://no-such-host.invalid/") { $0.addressFamily = .ipv6 }
        #expect(
            await transport.record(name).error?.message
                == "could not resolve host no-such-host.invalid to an IPv6 address")
        #expect(server.requests.count == 1)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var change: @Sendable (inout ConnectionOptions) -> Void
        var message: String
        var testDescription: String { message }

        init(_ message: String, _ change: @escaping @Sendable (inout ConnectionOptions) -> Void) {
            self.message = message
            self.change = change
        }
    }

    static let refusals = [
        Refusal("/no/file, cannot be used: no such file") { $0.tls.certificate = "/no/file" },
        Refusal("/tmp, cannot be used: it is not a regular file") { $0.tls.certificate = "/tmp" },
        Refusal("the client certificate's key, /no/key, cannot be used") { $0.tls.key = "/no/key" },
        Refusal("the file of certificates to trust, , cannot be used") { $0.tls.authorities = "" },
        Refusal("the Unix socket /no/socket: no such file") { $0.unixSocket = "/no/socket" },
        Refusal("/etc/passwd: it is not a Unix socket") { $0.unixSocket = "/etc/passwd" },
        Refusal("a path to a socket has at most") {
            $0.unixSocket = "/" + String(repeating: "x", count: 200)
        },
        Refusal("libcurl does not take an option") { $0.resolutions = ["api.test"] },
        Refusal("libcurl does not take an option") { $0.resolutions = ["api.test:80:x.test"] },
        Refusal("\"a:b\" does not say where to connect to") { $0.reroutes = ["a:b"] },
        Refusal("\"ftp\" is no kind of proxy") { $0.proxy = .address("ftp://u:secret@host") },
        Refusal("the proxy is malformed") { $0.proxy = .address("http://u:secret@[::") },
        Refusal("holds a line break or a NUL") { $0.proxy = .address("http://host\r\n") },
        Refusal("holds a line break or a NUL") { $0.proxyExceptions = "a\0b" },
        Refusal("holds a line break or a NUL") { $0.tls.authorities = "/etc/passwd\0" },
    ]

    @Test("What cannot be done is refused before anything is sent, and named", arguments: refusals)
    func refused(_ refusal: Refusal) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http(body: "ok") }
        let transport = CurlTransport()
        let error = try #require(
            await transport.record(try Self.request(server.url(), refusal.change)).error)
        #expect(error.code == .invalidRequest)
        #expect(error.isBeforeSending)
        #expect(error.message.contains(refusal.message), "\(error.message)")
        #expect(!error.message.contains("secret"))
        // The handle is as good as before.
        #expect(await transport.record(try server.request()).bodyText == "ok")
        #expect(server.requests.count == 1)
    }

    @Test("A version that this libcurl lacks is an error that names it")
    func missingVersion() async throws {
        let request = try Self.request("http://127.0.0.1:1/") { $0.version = .http3 }
        let error = try #require(await CurlTransport().record(request).error)
        #expect(error.isBeforeSending)
        // Of a libcurl that has it, nothing can be said without a server that speaks it.
        if error.code == .invalidRequest, error.message.contains("built without") {
            #expect(error.message.hasPrefix("HTTP/3 cannot be spoken: libcurl "))
        }
    }

    @Test(
        "Without TLS it is HTTP/1.1, whichever version is wanted",
        arguments: [nil, .http1, .http2] as [ConnectionOptions.HTTPVersion?])
    func versionWithoutTLS(_ version: ConnectionOptions.HTTPVersion?) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let record = await CurlTransport().record(
            try Self.request(server.url()) { $0.version = version })
        #expect(record.heads.first?.version == "1.1")
        #expect(server.requests.first?.fields["Upgrade"] == nil)
    }

    @Test("Requests that say the same in other words share a connection")
    func sameOptions() async throws {
        let server = try ByteServer.answering { _ in ByteServer.http() }
        let transport = CurlTransport()
        for _ in 1...3 {
            let request = try Self.request(server.url()) { $0.addressFamily = .ipv4 }
            #expect(await transport.record(request).status == 200)
        }
        #expect(server.connectionCount == 1)
    }
}

@Suite("Requests that give one name several addresses", .timeLimit(.minutes(1)))
struct ResolutionTests {
    private static func request(_ server: ByteServer, _ path: String) throws -> HTTPRequest {
        var request = HTTPRequest(
            url: try HTTPURL("http://api.test:\(server.port)\(path)"), timeout: .seconds(20))
        request.connection.resolutions = ["api.test:\(server.port):127.0.0.1"]
        return request
    }

    /// Answers `/slow` when the gate is opened by a request on another connection.
    private static func server() throws -> ByteServer {
        try ByteServer { connection in
            while let request = connection.readRequest() {
                if request.target == "/silent" { return connection.waitForPeerClose() }
                if request.target == "/slow" { connection.pause(milliseconds: 100) }
                connection.send(ByteServer.http(body: request.target))
            }
        }
    }

    @Test("Started together, each is carried out by its own, and none is lost")
    func together() async throws {
        let server = try Self.server()
        let transport = CurlTransport()
        let recorders = (0..<12).map { _ in Recorder() }
        for (number, recorder) in recorders.enumerated() {
            let path = number.isMultiple(of: 4) ? "/slow" : "/\(number)"
            let request =
                number.isMultiple(of: 3)
                ? try Self.request(server, path) : try server.request("GET", path)
            _ = transport.start(request, receiver: recorder)
        }
        for (number, recorder) in recorders.enumerated() {
            let record = await recorder.finished()
            #expect(record.bodyText == (number.isMultiple(of: 4) ? "/slow" : "/\(number)"))
        }
        let hosts = server.requests.map { $0.fields["Host"]?.hasPrefix("api.test:") }
        #expect(hosts.filter { $0 == true }.count == 4)
    }

    @Test("A cancel ends one that waits for another's end, and leaves that one alone")
    func cancelWhileWaiting() async throws {
        let server = try Self.server()
        let transport = CurlTransport()
        let (silent, waiting) = (Recorder(), Recorder())
        let other = transport.start(try server.request("GET", "/silent"), receiver: silent)
        _ = await server.waitForRequests(1)
        let exchange = transport.start(try Self.request(server, "/"), receiver: waiting)
        exchange.cancel()
        let record = await waiting.finished()
        #expect(record.error?.code == .cancelled)
        #expect(record.error?.isBeforeSending == true)
        #expect(silent.record.results.isEmpty)
        other.cancel()
        #expect(await silent.finished().error?.code == .cancelled)
        #expect(await transport.record(try Self.request(server, "/x")).bodyText == "/x")
        #expect(server.requests.count == 2)
    }
}
