/// The address of a proxy, which may hold a name and a password: `http://user:password@host:3128`.
struct ProxyAddress {
    private let beforePassword: Substring
    private let afterPassword: Substring
    /// As it is written, percent-encoded; `nil` for none.
    let password: String?

    init(_ address: String) {
        let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
        // A password may hold an @ by mistake; what comes after the last one is the host.
        guard let at = address[start...].lastIndex(of: "@"),
            let colon = address[start..<at].firstIndex(of: ":")
        else {
            (beforePassword, afterPassword, password) = (address[...], "", nil)
            return
        }
        let passwordStart = address.index(after: colon)
        beforePassword = address[..<passwordStart]
        afterPassword = address[at...]
        password = String(address[passwordStart..<at])
    }

    /// The address with `***` for the password.
    var masked: String {
        password == nil ? String(beforePassword) : "\(beforePassword)***\(afterPassword)"
    }
}
