#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The published test suites, which are kept outside the package.
public enum Conformance {
    /// The folder of that suite, such as `jsonpath`; `nil` when it is not there.
    ///
    /// Looked for in the folder that the environment variable `PIPELINE_CONFORMANCE` names, and
    /// without one in `../shared/conformance`, seen from the package.
    public static func folder(_ name: String) -> String? {
        let path = "\(root)/\(name)"
        return access(path, R_OK) == 0 ? path : nil
    }

    private static var root: String {
        if let value = getenv("PIPELINE_CONFORMANCE") {
            return String(cString: value)
        }
        // This file is Tests/TestSupport/Conformance.swift.
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(package)/../shared/conformance"
    }
}
