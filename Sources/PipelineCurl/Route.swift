import PipelineCore

/// Another place to connect to than the one that an address names.
///
/// The request stays the same, its `Host` field and the name that the certificate must have
/// included.
struct Route {
    // Empty for any host and port, and for the same ones.
    private let host: String
    private let port: String
    private let targetHost: String
    private let targetPort: String

    /// Reads `HOST:PORT:HOST:PORT`, each part possibly empty; `nil` when it is something else.
    init?(_ text: String) {
        var rest = text[...]
        guard let host = Self.takeHost(&rest), let port = Self.takePort(&rest),
            let targetHost = Self.takeHost(&rest), Self.isPort(rest)
        else { return nil }
        (self.host, self.port) = (host, port)
        (self.targetHost, self.targetPort) = (targetHost, String(rest))
    }

    /// Where an address leads, `HOST:PORT`; `nil` when the route is not for it.
    func target(of url: HTTPURL) -> String? {
        guard host.isEmpty || HTTPFields.isSame(host, url.host),
            port.isEmpty || Int(port) == url.port
        else { return nil }
        return "\(targetHost.isEmpty ? url.host : targetHost):"
            + (targetPort.isEmpty ? "\(url.port)" : targetPort)
    }

    /// Takes what comes before the next colon, an IPv6 literal with its brackets.
    private static func takeHost(_ rest: inout Substring) -> String? {
        let end = rest.hasPrefix("[") ? rest.firstIndex(of: "]") : rest.startIndex
        guard let end, let colon = rest[end...].firstIndex(of: ":") else { return nil }
        defer { rest = rest[rest.index(after: colon)...] }
        return String(rest[..<colon])
    }

    private static func takePort(_ rest: inout Substring) -> String? {
        guard let colon = rest.firstIndex(of: ":"), isPort(rest[..<colon]) else { return nil }
        defer { rest = rest[rest.index(after: colon)...] }
        return String(rest[..<colon])
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.utf8.allSatisfy(\.isASCIIDigit) && UInt16(text) != nil
    }
}
