#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The process's environment.
package enum Environment {
    /// The value of an environment variable, or `nil` when it is not set.
    ///
    /// Empty counts as set.
    package static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
