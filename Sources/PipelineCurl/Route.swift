import PipelineCore

/// Another place to connect to than the one that an address names.
///
/// The request stays the same, its `Host` field and the name that the certificate must have
/// included. Empty parts mean any host or port, and the same one.
struct Route: Hashable {
    var host: String
    var port: String
    var targetHost: String
    var targetPort: String

    /// Reads `HOST:PORT:HOST:PORT`, each part possibly empty; `nil` when it is something else.
    init?(reroute text: String) {
        var rest = text[...]
        guard let host = Self.takeHost(&rest), let port = Self.takePort(&rest),
            let targetHost = Self.takeHost(&rest), Self.isPort(rest)
        else { return nil }
        self.init(host, port, targetHost, String(rest))
    }

    /// Reads `HOST:PORT:ADDRESS`, the host `*` for any; `nil` when it is something else.
    init?(resolution text: String) {
        var rest = text[...]
        guard let host = Self.takeHost(&rest), !host.isEmpty,
            let port = Self.takePort(&rest), !port.isEmpty
        else { return nil }
        let isBracketed = rest.hasPrefix("[") && rest.hasSuffix("]")
        let address = isBracketed ? rest.dropFirst().dropLast() : rest
        let isIPv6 = address.contains(":")
        guard !address.isEmpty,
            address.utf8.allSatisfy({
                isIPv6
                    ? $0.isHexDigit || ":.%".utf8.contains($0)
                    : $0.isASCIIDigit || $0 == UInt8(ascii: ".")
            })
        else { return nil }
        self.init(host == "*" ? "" : host, port, isIPv6 ? "[\(address)]" : String(address), port)
    }

    private init(_ host: String, _ port: String, _ targetHost: String, _ targetPort: String) {
        (self.host, self.port) = (host, port)
        (self.targetHost, self.targetPort) = (targetHost, targetPort)
    }

    /// In the order in which they are tried, so that a name which is rerouted to is resolved, too.
    ///
    /// Of two resolutions for the same place the later one counts, as with curl.
    static func all(reroutes: [Route], resolutions: [Route]) -> [Route] {
        let resolutions = Array(resolutions.reversed())
        let both = reroutes.flatMap { reroute in
            resolutions.compactMap { reroute.followed(by: $0) }
        }
        return both + reroutes + resolutions
    }

    /// This route and then the other one, where it leads on.
    private func followed(by other: Route) -> Route? {
        // What comes out of this route: a part that stays the same is what went in.
        let outHost = targetHost.isEmpty ? host : targetHost
        let outPort = targetPort.isEmpty ? port : targetPort
        func fits(_ one: String, _ other: String) -> Bool {
            one.isEmpty || other.isEmpty || HTTPFields.isSame(one, other)
        }
        guard fits(outHost, other.host), fits(outPort, other.port) else { return nil }
        return Route(
            targetHost.isEmpty && host.isEmpty ? other.host : host,
            targetPort.isEmpty && port.isEmpty ? other.port : port,
            other.targetHost, other.targetPort)
    }

    /// As libcurl's `CURLOPT_CONNECT_TO` has it.
    var text: String { "\(host):\(port):\(targetHost):\(targetPort)" }

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
