extension Option {
    /// What it is called in a configuration file; `nil` where it may not stand in one.
    var configurationKey: String? {
        switch effect {
        case .help, .version: nil
        case .flag, .value: traits.contains(.commandLineOnly) ? nil : String(names[0].dropFirst(2))
        }
    }

    /// Whether its value is the path of a file or a folder.
    var takesPath: Bool { valueKind == .file || valueKind == .folder }
}
