#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What the operating system calls an error, as in `connection refused`.
func systemErrorText(_ number: Int32) -> String {
    let text = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    return text.prefix(1).lowercased() + text.dropFirst()
}
