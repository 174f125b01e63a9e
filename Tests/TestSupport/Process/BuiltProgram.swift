#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A program of the package, as it was built with the tests.
package enum BuiltProgram {
    /// Beside the tests' own executable.
    package static func path(_ name: String) -> String {
        let own = realpath("/proc/self/exe", nil) ?? realpath(CommandLine.arguments[0], nil)
        defer { free(own) }
        let folder = own.map { String(cString: $0) }?.split(separator: "/").dropLast()
        return "/" + (folder ?? []).joined(separator: "/") + "/" + name
    }
}
