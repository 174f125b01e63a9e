/// A command line that cannot be followed, or a file it names that cannot be used.
struct UsageError: Error, Hashable {
    /// What was expected, what was found and what to do; never a value that may be secret.
    let message: String
    /// What else is wrong.
    var others: [String] = []

    init(_ message: String) {
        self.message = message
    }

    /// Several problems at once, one at least.
    init(_ messages: [String]) {
        message = messages[0]
        others = Array(messages.dropFirst())
    }
}
