extension Option {
    /// The options that are about one command line, and the one whose values no file should hold
    /// that others read.
    static let onlyOnCommandLine: Set<String> = [
        "--secret", "--from", "--to", "--only", "--shard", "--repeat", "--data", "--watch",
        "--dry-run", "--output", "--config", "--no-config", "--force", "--format",
    ]

    /// Those that a configuration file may give several values.
    static let repeatable: Set<String> = [
        "--var", "--vars-file", "--header", "--resolve", "--connect-to", "--report-junit",
        "--report-json", "--report-tap", "--report-html", "--report-har",
    ]

    /// What it is called in a configuration file; `nil` where it may not stand in one.
    var configurationKey: String? {
        switch effect {
        case .help, .version: nil
        case .flag, .value:
            names.first.flatMap {
                Self.onlyOnCommandLine.contains($0) ? nil : String($0.dropFirst(2))
            }
        }
    }

    /// Whether a configuration file may give it a list.
    var isRepeatable: Bool { names.first.map(Self.repeatable.contains) ?? false }

    /// Whether its value is the path of a file or a folder.
    var takesPath: Bool { valueKind == .file || valueKind == .folder }
}
