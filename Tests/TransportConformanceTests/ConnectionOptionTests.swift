import PipelineCore
import TestSupport
import Testing

@Suite("Where a connection goes", .timeLimit(.minutes(1)), .needsNginx)
struct ConnectionOptionTests {
    private static func request(
        _ address: String, _ change: (inout ConnectionOptions) -> Void
    ) throws -> HTTPRequest {
        var request = HTTPRequest(url: try HTTPURL(address), timeout: .seconds(20))
        change(&request.connection)
        return request
    }

    @Test(
        "A Unix socket is connected to, whatever the host, and only for the request that asks",
        arguments: TransportUnderTest.all)
    func unixSocket(_ subject: TransportUnderTest) async throws {
        let server = try NginxServer("location / { return 200 \"$server_addr $http_host\"; }")
        let transport = try subject.make()
        for _ in 1...2 {
            let local = await transport.record(
                try Self.request("http://api.test/p") { $0.unixSocket = server.socketPath })
            #expect(
                local.bodyText == "unix:\(server.socketPath) api.test",
                "\(String(describing: local.error))")
            let remote = await transport.record(try server.request())
            #expect(remote.bodyText == "127.0.0.1 127.0.0.1:\(server.port)")
        }
    }

    @Test("A Unix socket that is not there is named", arguments: TransportUnderTest.all)
    func missingUnixSocket(_ subject: TransportUnderTest) async throws {
        let error = try #require(
            try await subject.make().record(
                try Self.request("http://api.test/") { $0.unixSocket = "/no/such/socket" }
            ).error)
        #expect(error.code == .cannotConnect || error.code == .invalidRequest)
        #expect(error.message.contains("/no/such/socket"), "\(error.message)")
        #expect(error.isBeforeSending)
    }

    @Test(
        "A name has the address that the request gives it, and Host keeps the name",
        arguments: TransportUnderTest.all)
    func resolution(_ subject: TransportUnderTest) async throws {
        let server = try NginxServer("location / { return 200 $http_host; }")
        let record = try await subject.make().record(
            try Self.request("http://api.test:\(server.port)/") {
                $0.resolutions = [
                    "other.test:\(server.port):192.0.2.1", "api.test:\(server.port):127.0.0.1",
                ]
            })
        #expect(
            record.bodyText == "api.test:\(server.port)", "\(String(describing: record.error))")
        #expect(record.metrics?.remoteAddress == "127.0.0.1")
    }

    @Test(
        "Addresses that one request gives are not the next one's", .needsIPv6,
        arguments: TransportUnderTest.all)
    func resolutionDoesNotStay(_ subject: TransportUnderTest) async throws {
        let server = try NginxServer("location / { return 200 $remote_addr; }")
        let transport = try subject.make()
        for (address, expected) in [
            ("127.0.0.1", "127.0.0.1"), ("[::1]", "::1"), ("127.0.0.1", "127.0.0.1"),
        ] {
            let record = await transport.record(
                try Self.request("http://api.test:\(server.port)/") {
                    $0.resolutions = ["api.test:\(server.port):\(address)"]
                })
            #expect(record.bodyText == expected, "\(String(describing: record.error))")
        }
        let record = await transport.record(
            try Self.request("http://api.test:\(server.port)/") { _ in })
        #expect(record.error?.code == .cannotResolve)
    }

    @Test(
        "The kind of addresses is the one that is asked for", .needsIPv6,
        arguments: TransportUnderTest.all)
    func addressFamily(_ subject: TransportUnderTest) async throws {
        let server = try NginxServer("location / { return 200 $remote_addr; }")
        let transport = try subject.make()
        let cases: [(ConnectionOptions.AddressFamily, address: String?, expected: String?)] = [
            (.ipv4, nil, "127.0.0.1"), (.ipv6, "[::1]", "::1"), (.ipv4, "127.0.0.1", "127.0.0.1"),
            (.ipv6, "127.0.0.1", nil), (.ipv4, "[::1]", nil), (.any, "[::1]", "::1"),
        ]
        for (family, address, expected) in cases {
            // A name of which nothing else is known, where an address is given.
            let name = "\(address == nil ? "localhost" : "api.test"):\(server.port)"
            let record = await transport.record(
                try Self.request("http://\(name)/") {
                    $0.addressFamily = family
                    $0.resolutions = address.map { ["\(name):\($0)"] } ?? []
                })
            #expect(record.bodyText == expected ?? "", "\(String(describing: record.error))")
            if expected == nil { #expect(record.error?.isBeforeSending == true) }
        }
    }

    @Test(
        "A connection goes to the place that the request gives, and Host keeps the name",
        arguments: TransportUnderTest.all)
    func reroute(_ subject: TransportUnderTest) async throws {
        let servers = try (1...2).map {
            try NginxServer("location / { return 200 \"\($0) $http_host\"; }")
        }
        let transport = try subject.make()
        for number in [1, 2, 1] {
            let record = await transport.record(
                try Self.request("http://api.test/") {
                    $0.reroutes = ["api.test:80:127.0.0.1:\(servers[number - 1].port)"]
                })
            #expect(
                record.bodyText == "\(number) api.test", "\(String(describing: record.error))")
        }
        let record = await transport.record(try Self.request("http://api.test/") { _ in })
        #expect(record.error?.code == .cannotResolve)
    }

    @Test(
        "A name is verified as it stands in the address, wherever the connection goes",
        .needsOpenSSL, arguments: TransportUnderTest.all, ["resolution", "reroute"])
    func verifiedName(_ subject: TransportUnderTest, _ way: String) async throws {
        let authority = try CertificateAuthority()
        let files = try authority.issue("api.test", alternatives: "DNS:api.test")
        let server = try NginxServer(
            "location / { return 200 $ssl_server_name; }", tls: NginxServer.TLS(files))
        let transport = try subject.make(row: way)
        for host in ["api.test", "other.test"] {
            let record = await transport.record(
                try Self.request("https://\(host):\(server.port)/") {
                    $0.tls.authorities = authority.certificate
                    if way == "reroute" {
                        $0.reroutes = ["\(host):\(server.port):127.0.0.1:\(server.port)"]
                    } else {
                        $0.resolutions = ["\(host):\(server.port):127.0.0.1"]
                    }
                })
            if host == "api.test" {
                #expect(record.bodyText == host, "\(String(describing: record.error))")
            } else {
                #expect(record.error?.code == .tls)
            }
        }
    }

    @Test(
        "What is no resolution, reroute or proxy is refused before anything is sent",
        arguments: TransportUnderTest.all)
    func malformed(_ subject: TransportUnderTest) async throws {
        let server = try NginxServer("location / { return 200 ok; }")
        let transport = try subject.make()
        let changes: [@Sendable (inout ConnectionOptions) -> Void] = [
            { $0.resolutions = ["api.test"] }, { $0.resolutions = ["api.test:80:\r\nx"] },
            { $0.reroutes = ["api.test:eighty:x:1:2"] }, { $0.proxy = .address("not a proxy") },
        ]
        for change in changes {
            let error = try #require(
                await transport.record(try Self.request(server.url().text, change)).error)
            #expect(error.code == .invalidRequest, "\(error)")
            #expect(error.isBeforeSending)
        }
        #expect(await transport.record(try server.request()).bodyText == "ok")
        #expect(server.stop().count == 1)
    }
}
