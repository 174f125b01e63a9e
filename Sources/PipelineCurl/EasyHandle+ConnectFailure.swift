internal import CLibcurl
import PipelineCore

/// Failures on the way to the server: which host, proxy or socket it was.
extension EasyHandle {
    func resolveFailure(_ url: HTTPURL) -> String {
        let name = errorText.hasPrefix("Could not resolve host: ") ? nameInText : url.host
        let isRerouted = reroute(url)?.hasPrefix("\(name):") == true
        return "could not resolve host \(name)\(family.map { " to an \($0) address" } ?? "")"
            + (isRerouted ? ", to which \(place(url)) is directed" : "")
    }

    func proxyResolveFailure(_ url: HTTPURL) -> String {
        guard errorText.hasPrefix("Could not resolve proxy: ") else {
            return "could not resolve the proxy for \(url.host)\(detail)"
        }
        return "could not resolve the proxy \(nameInText), which is used for \(place(url))"
    }

    func connectFailure(to url: HTTPURL) -> String {
        let number = Int32(clamping: number(CURLINFO_OS_ERRNO))
        let reason =
            number == 0
            ? "no \(family.map { "\($0) " } ?? "")connection" : systemErrorText(number)
        let detail = number == 0 ? detail : ""
        if let socket = applied.connection.value.unixSocket {
            return "\(reason) at the Unix socket \(socket)\(detail)"
        }
        guard let other = otherPlace(url) else { return "\(reason) at \(place(url))\(detail)" }
        return isSame(other, reroute(url))
            ? "\(reason) at \(other), to which \(place(url)) is directed"
            : "\(reason) at the proxy \(other), which is used for \(place(url))"
    }

    /// What a proxy answered instead of letting the connection through; `nil` where none refused.
    func tunnelFailure(_ url: HTTPURL) -> String? {
        let status = number(CURLINFO_HTTP_CONNECTCODE)
        guard isBeforeSending, status != 0, !(200..<300 ~= status) else { return nil }
        let hint = status == 407 ? ": it wants other credentials" : ""
        return "\(proxyName) did not connect to \(place(url)), but answered \(status)\(hint)"
    }

    /// The proxy that was connected to.
    var proxyName: String {
        let address = "\(text(CURLINFO_PRIMARY_IP)):\(number(CURLINFO_PRIMARY_PORT))"
        return "the proxy \(applied.proxyAuthority ?? address)"
    }

    /// Such as ` through the proxy 127.0.0.1:3128`, where it is certain that one is used.
    var throughProxy: String {
        guard let proxy = applied.proxyAuthority,
            applied.connection.value.proxyExceptions?.isEmpty
                ?? (Environment.value("no_proxy") == nil && Environment.value("NO_PROXY") == nil)
        else { return "" }
        return " through the proxy \(proxy)"
    }

    /// The kind of addresses that the request keeps to.
    private var family: String? {
        switch applied.connection.value.addressFamily {
        case .any: nil
        case .ipv4: "IPv4"
        case .ipv6: "IPv6"
        }
    }

    /// Where the connection is made to instead, as the request says.
    private func reroute(_ url: HTTPURL) -> String? {
        applied.routes.lazy.compactMap { $0.target(of: url) }.first
    }

    private func isSame(_ place: String, _ other: String?) -> Bool {
        other.map { HTTPFields.isSame(place, $0) } == true
    }

    /// The last word of what libcurl says.
    private var nameInText: String {
        errorText.split(separator: " ").last.map(String.init) ?? ""
    }

    /// Where libcurl says that it failed to connect to, when that is not the server itself.
    private func otherPlace(_ url: HTTPURL) -> String? {
        let words = errorText.split(separator: " ").map(String.init)
        guard let place = words.firstIndex(of: "port").map({ $0 - 1 }), words.indices ~= place,
            words.indices ~= place + 2
        else { return nil }
        let (host, port) = (words[place], words[place + 2])
        // An IPv6 address can be written in many ways; then the port has to tell.
        let isSameHost =
            host.contains(":") && url.host.contains(":") || HTTPFields.isSame(host, url.host)
        return isSameHost && port == "\(url.port)"
            ? nil : host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
