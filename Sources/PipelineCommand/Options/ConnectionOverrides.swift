import PipelineCore
import PipelineCurl

/// What the command line says about how connections are made, instead of the file.
///
/// Paths are relative to the current folder.
struct ConnectionOverrides: Sendable, Hashable {
    /// Whether certificates are not verified, whatever the file says.
    var isInsecure = false
    var authorities: String?
    var certificate: String?
    var key: String?
    var proxy: ConnectionOptions.Proxy?
    var proxyExceptions: String?
    var unixSocket: String?
    var version: ConnectionOptions.HTTPVersion?
    var addressFamily: ConnectionOptions.AddressFamily?
    var resolutions: [String] = []
    var reroutes: [String] = []

    func apply(to options: inout ConnectionOptions) {
        if isInsecure { options.tls.isVerified = false }
        options.tls.authorities = authorities ?? options.tls.authorities
        if let certificate {
            options.tls.certificate = certificate
            // The file's key would be that of another certificate.
            options.tls.key = nil
        }
        options.tls.key = key ?? options.tls.key
        options.proxy = proxy ?? options.proxy
        options.proxyExceptions = proxyExceptions ?? options.proxyExceptions
        options.unixSocket = unixSocket ?? options.unixSocket
        options.version = version ?? options.version
        options.addressFamily = addressFamily ?? options.addressFamily
        options.resolutions += resolutions
        options.reroutes += reroutes
    }

    /// Refuses what the transport could not do: files that are not there, malformed places,
    /// versions that this libcurl does not speak.
    func check() throws(UsageError) {
        for text in resolutions where !Self.isResolution(text) {
            throw UsageError("expected HOST:PORT:ADDRESS[,ADDRESS]…, found \"\(text)\"")
        }
        var options = ConnectionOptions()
        apply(to: &options)
        do {
            try options.checkUsable()
        } catch {
            throw UsageError(error.message)
        }
    }

    /// As curl has it: a name or `*`, a port, IPv4 addresses and IPv6 addresses in brackets or
    /// without; `+` before all of it lets the entry expire.
    private static func isResolution(_ text: String) -> Bool {
        var rest = text.hasPrefix("+") ? text.dropFirst() : text[...]
        let end = rest.hasPrefix("[") ? rest.firstIndex(of: "]") : rest.startIndex
        guard let end, let first = rest[end...].firstIndex(of: ":"), first != rest.startIndex,
            !rest.hasPrefix("-")
        else { return false }
        rest = rest[rest.index(after: first)...]
        guard let second = rest.firstIndex(of: ":"), let port = UInt16(rest[..<second]), port > 0
        else { return false }
        let addresses = rest[rest.index(after: second)...]
        return addresses.split(separator: ",", omittingEmptySubsequences: false)
            .allSatisfy { IPAddress.isValid($0) }
    }

    /// The password in the address of the proxy, as it is written there; `nil` for none.
    var proxyPassword: String? {
        guard case .address(let address)? = proxy else { return nil }
        return ProxyAddress(address).password
    }
}
