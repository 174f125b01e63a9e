import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A browser without a window (Debian's package `chromium`).
enum Chromium {
    static let isInstalled = access(path, X_OK) == 0

    private static let path = "/usr/bin/chromium"

    /// The document of a page as the browser has it, as HTML.
    static func document(of path: String, in folder: TemporaryFolder) async throws -> String {
        let outcome = try await Subprocess(
            Self.path,
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--user-data-dir=\(folder.file("profile"))", "--dump-dom", "file://\(path)",
            ]
        ).waitForEnd()
        guard outcome.status == 0 else { throw Subprocess.Failure(message: outcome.errors) }
        return outcome.output
    }
}
