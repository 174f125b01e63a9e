import PipelineCore
import TestSupport
import Testing

@testable import PipelineCommand

@Suite("The options about requests and connections")
struct RequestOptionTests {
    private static func settings(_ arguments: String...) throws -> Settings {
        try ArgumentParser.parse(arguments + ["a.json"]).settings
    }

    @Test("Each sets what it is for")
    func effects() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("-", as: "some.pem")
        let settings = try Self.settings(
            "--cacert", file, "--cert", file, "--key", file, "-xhttp://proxy.example:3128",
            "--noproxy", "localhost,.example", "--resolve", "a.example:443:127.0.0.1,[::1]",
            "--resolve=*:80:::1", "--connect-to", "::127.0.0.1:8080", "--http1.1", "-6",
            "--retry=3", "-Aprobe/1.0", "-HX-A: 1", "-H", "x-a:2", "--header=X-B;", "-H", "X-C:")
        var connection = ConnectionOverrides()
        connection.authorities = file
        connection.certificate = file
        connection.key = file
        connection.proxy = .address("http://proxy.example:3128")
        connection.proxyExceptions = "localhost,.example"
        connection.resolutions = ["a.example:443:127.0.0.1,[::1]", "*:80:::1"]
        connection.reroutes = ["::127.0.0.1:8080"]
        connection.version = .http1
        connection.addressFamily = .ipv6
        #expect(settings.connection == connection)
        #expect(settings.retryLimit == 3)
        let overrides = settings.fieldOverrides
        #expect(
            overrides.fields
                == ["X-A": "1", "x-a": "2", "X-B": "", "User-Agent": "probe/1.0"])
        #expect(overrides.removedNames == ["X-C"])
    }

    @Test("Of two versions, and of two kinds of addresses, the last one holds")
    func last() throws {
        let settings = try Self.settings("--http2", "--http1.1", "-6", "-4")
        #expect(settings.connection.version == .http1)
        #expect(settings.connection.addressFamily == .ipv4)
    }

    @Test("No proxy is asked for by none, or by nothing", arguments: ["none", ""])
    func noProxy(text: String) throws {
        let proxy = try #require(try Self.settings("--proxy", text).connection.proxy)
        #expect(proxy == .none)
    }

    @Test("A field of the command line goes before the user agent of the command line")
    func userAgent() throws {
        let named = try Self.settings("-A", "one", "-H", "user-agent: two").fieldOverrides
        #expect(named.fields == ["user-agent": "two"])
        #expect(try Self.settings("-A", "").fieldOverrides.removedNames == ["User-Agent"])
    }

    @Test("What the command line does not say stays as the file has it")
    func unchanged() {
        var options = ConnectionOptions()
        options.tls.isVerified = false
        options.tls.certificate = "file.pem"
        options.tls.key = "file.key"
        options.proxy = .none
        options.version = .http2
        let before = options
        ConnectionOverrides().apply(to: &options)
        #expect(options == before)
    }

    @Test("The file's key is not that of the command line's certificate")
    func certificateWithoutKey() {
        var options = ConnectionOptions()
        options.tls.certificate = "file.pem"
        options.tls.key = "file.key"
        var overrides = ConnectionOverrides()
        overrides.certificate = "other.pem"
        overrides.apply(to: &options)
        #expect(options.tls.certificate == "other.pem")
        #expect(options.tls.key == nil)
    }

    @Test(
        "What cannot be is refused before anything is sent, by the option's name",
        arguments: [
            ("--cacert", "/no/ca.pem", "the file of certificates to trust, /no/ca.pem, cannot"),
            ("--cert", "/no/c.pem", "the client certificate, /no/c.pem, cannot be used: no such"),
            ("--key", "/tmp", "the client certificate's key, /tmp, cannot be used: it is not"),
            ("-x", "ftp://proxy", "\"ftp\" is no kind of proxy, expected one of http, https"),
            ("--proxy", "http://[::", "the address of the proxy is malformed"),
            ("--unix-socket", "/no/socket", "the Unix socket /no/socket: no such file"),
            ("--connect-to", "a:80", "\"a:80\" does not say where to connect to, expected HOST:"),
            ("--connect-to", "a:80:b:99999", "does not say where to connect to"),
            (
                "--resolve", "a.example",
                "expected HOST:PORT:ADDRESS[,ADDRESS]…, found \"a.example\""
            ),
            ("--resolve", "a.example:80", "expected HOST:PORT:ADDRESS"),
            ("--resolve", "a.example:0:127.0.0.1", "expected HOST:PORT:ADDRESS"),
            ("--resolve", "a.example:80:localhost", "expected HOST:PORT:ADDRESS"),
            ("--resolve", "a.example:80:127.0.0.1,", "expected HOST:PORT:ADDRESS"),
            ("--resolve", ":80:127.0.0.1", "expected HOST:PORT:ADDRESS"),
            ("--resolve", "-a:80", "expected HOST:PORT:ADDRESS"),
            ("--noproxy", "a\nb", "holds a line break or a NUL"),
            ("-A", "a\r\nX: 1", "a header field may not hold a line break or NUL"),
            ("-H", "X: 1\r\nY: 2", "a header field may not hold a line break or NUL"),
            ("-H", "X: 1\nY: 2", "a header field may not hold a line break or NUL"),
            (
                "-H", "X-A",
                "expected \"Name: value\", \"Name:\" to leave it out or \"Name;\" to send"
            ),
            ("-H", ": x", "a name is made of letters, digits and !#$%&'*+-.^_`|~"),
            ("-H", "X A: x", "a name is made of letters, digits"),
            ("-H", "X-A;x", "expected \"Name: value\""),
        ])
    func refusals(option: String, value: String, message: String) throws {
        let error = try #require(
            #expect(throws: UsageError.self) { try Self.settings(option, value) })
        #expect(error.message.hasPrefix("\(option): "))
        #expect(error.message.contains(message), "\(error.message)")
    }

    @Test("A message never shows what may be a password (O27)")
    func secretsInMessages() throws {
        for (option, value) in [
            ("-H", "Bearer hunter2"), ("-H", "hunter2 x: y"), ("-x", "ftp://ada:hunter2@proxy"),
            ("-x", "http://ada:hunter2@[::"),
        ] {
            let error = try #require(
                #expect(throws: UsageError.self) { try Self.settings(option, value) })
            #expect(!error.message.contains("hunter2"), "\(error.message)")
        }
    }

    @Test(
        "The password of a proxy is found, to be masked",
        arguments: [
            ("http://ada:secret@proxy:3128", "secret", "http://ada:***@proxy:3128"),
            ("ada:se:cr@et@proxy", "se:cr@et", "ada:***@proxy"),
            ("socks5h://ada@proxy:1080", nil, "socks5h://ada@proxy:1080"),
            ("proxy:3128", nil, "proxy:3128"),
        ] as [(String, String?, String)])
    func proxyPassword(address: String, password: String?, masked: String) {
        #expect(ProxyAddress(address).password == password)
        #expect(ProxyAddress(address).masked == masked)
    }
}
