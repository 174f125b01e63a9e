import Foundation
import PipelineCore

/// The address of a proxy in the form that Foundation is told it.
struct ProxyAddress {
    let isSOCKS: Bool
    let host: String
    let port: Int

    /// Reads `http://host:port` or `socks5://host:port`.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest``, without the address, which may hold a
    ///   password.
    init(_ address: String) throws(TransportError) {
        let text = address.contains("://") ? address : "http://\(address)"
        guard let components = URLComponents(string: text), let host = components.host,
            !host.isEmpty
        else { throw .refused("the address of the proxy is malformed") }
        guard components.user == nil else {
            throw .cannotDo("credentials of a proxy (proxy)")
        }
        switch components.scheme {
        case "http": isSOCKS = false
        case "socks5", "socks5h": isSOCKS = true
        default: throw .cannotDo("a proxy of the kind \"\(components.scheme ?? "")\" (proxy)")
        }
        self.host = host
        // The port that curl takes where none is written.
        port = components.port ?? 1_080
    }

    /// The keys of CFNetwork, by their values: their names are not there on every platform.
    var dictionary: [String: Any] {
        isSOCKS
            ? ["SOCKSEnable": 1, "SOCKSProxy": host, "SOCKSPort": port]
            : [
                "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port,
                "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
            ]
    }
}
