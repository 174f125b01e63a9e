/// A command line that cannot be followed, or a file it names that cannot be used.
struct UsageError: Error, Hashable {
    /// What was expected, what was found and what to do; never a value that may be secret.
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
