/// The version of the command line, as `--version` prints it.
enum Version {
    /// The same as the newest entry of `CHANGELOG.md`.
    static let text = "0.1.0"
}
