#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The present moment in UTC as RFC 3339 writes it, whole seconds, such as `2027-11-30T07:58:22Z`.
func systemDateTime() -> String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
        guard let start = buffer.baseAddress,
            strftime(start, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0
        else { return "" }
        return String(cString: start)
    }
}
