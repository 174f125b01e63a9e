import PipelineCore

/// The options about what is sent, and how connections are made: named as in curl.
extension OptionTable {
    static let requests = [
        Option(
            names: ["--header", "-H"],
            summary: "send \"Name: value\" in every request; \"Name:\" for none",
            group: .requests, commands: [.run], traits: [.repeatable],
            effect: .value("LINE") { settings, text throws(UsageError) in
                try settings.headers.add(text)
            }),
        Option(
            names: ["--user-agent", "-A"], summary: "what requests say they come from",
            group: .requests, commands: [.run],
            effect: .value("NAME") { settings, text throws(UsageError) in
                guard !text.utf8.contains(where: \.isLineBreakOrNull) else {
                    throw UsageError("a header field may not hold a line break or NUL")
                }
                settings.userAgent = text
            }),
    ]

    static let connection = [
        Option(
            names: ["--insecure", "-k"], summary: "do not verify certificates",
            group: .connection, commands: [.run], effect: .connection { $0.isInsecure = true }),
        Option(
            names: ["--cacert"], summary: "trust the certificates of this PEM file",
            group: .connection, commands: [.run],
            effect: .connection("FILE") { $0.authorities = $1 }),
        Option(
            names: ["--cert"], summary: "show the certificate in this PEM file",
            group: .connection, commands: [.run],
            effect: .connection("FILE") { $0.certificate = $1 }),
        Option(
            names: ["--key"], summary: "its key; in the same file by default",
            group: .connection, commands: [.run], effect: .connection("FILE") { $0.key = $1 }),
        Option(
            names: ["--proxy", "-x"], summary: "connect through this proxy; none for no proxy",
            group: .connection, commands: [.run],
            effect: .connection("ADDRESS") {
                $0.proxy = $1.isEmpty || $1 == "none" ? ConnectionOptions.Proxy.none : .address($1)
            }),
        Option(
            names: ["--noproxy"], summary: "hosts to reach without a proxy, between commas, or *",
            group: .connection, commands: [.run],
            effect: .connection("HOSTS") { $0.proxyExceptions = $1 }),
        Option(
            names: ["--resolve"], summary: "addresses for a host, HOST:PORT:ADDRESS[,ADDRESS]…",
            group: .connection, commands: [.run], traits: [.repeatable],
            effect: .connection("ENTRY") { $0.resolutions.append($1) }),
        Option(
            names: ["--connect-to"],
            summary: "connect elsewhere, HOST:PORT:HOST:PORT; each part may be empty",
            group: .connection, commands: [.run], traits: [.repeatable],
            effect: .connection("ROUTE") { $0.reroutes.append($1) }),
        Option(
            names: ["--unix-socket"], summary: "connect to this Unix socket",
            group: .connection, commands: [.run],
            effect: .connection("FILE") { $0.unixSocket = $1 }),
        Option(
            names: ["--http1.1"], summary: "speak HTTP/1.1",
            group: .connection, commands: [.run], effect: .connection { $0.version = .http1 }),
        Option(
            names: ["--http2"], summary: "speak HTTP/2 where a server offers it over TLS",
            group: .connection, commands: [.run], effect: .connection { $0.version = .http2 }),
        Option(
            names: ["--http3"], summary: "speak HTTP/3 and nothing else",
            group: .connection, commands: [.run], effect: .connection { $0.version = .http3 }),
        Option(
            names: ["--ipv4", "-4"], summary: "connect to IPv4 addresses alone",
            group: .connection, commands: [.run],
            effect: .connection { $0.addressFamily = .ipv4 }),
        Option(
            names: ["--ipv6", "-6"], summary: "connect to IPv6 addresses alone",
            group: .connection, commands: [.run],
            effect: .connection { $0.addressFamily = .ipv6 }),
    ]
}
