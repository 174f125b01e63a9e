import PipelineCore

/// One option of the command line: what parses it, explains it and applies it.
struct Option: Sendable {
    /// How it may be written; the long name first.
    let names: [String]
    let summary: String
    let group: Group
    /// The commands that it belongs to.
    let commands: [Subcommand]
    var traits: Traits = []
    let effect: Effect

    /// Where else than on a command line it may stand.
    struct Traits: OptionSet, Sendable {
        let rawValue: Int

        /// A variable of the environment stands in for it: what a CI server or a shell may want to
        /// set once for all command lines.
        static let variable = Traits(rawValue: 1)
        /// A configuration file may give it several values.
        static let repeatable = Traits(rawValue: 2)
        /// It is about one command line, or its value should not be in a file that others read: a
        /// configuration file may not give it.
        static let commandLineOnly = Traits(rawValue: 4)
    }

    /// The headings of the help.
    enum Group: String, CaseIterable, Sendable {
        case values = "Values"
        case selection = "Selection"
        case limits = "Limits"
        case failures = "Failures"
        case requests = "Requests"
        case connection = "Connection"
        case output = "Output"
        case reports = "Reports"
        case files = "Files"
        case general = "General"
    }

    /// What an option does.
    enum Effect: Sendable {
        case flag(@Sendable (inout Settings) throws(UsageError) -> Void)
        /// Takes a value, which the help calls so.
        case value(
            String, @Sendable (inout Settings, String) throws(UsageError) -> Void)
        case help
        case version
    }

    /// What the help calls the value; `nil` for an option without one.
    var placeholder: String? {
        if case .value(let placeholder, _) = effect { placeholder } else { nil }
    }

    /// Does what it does; a flag has no use for the value.
    ///
    /// - Parameter name: What messages call it.
    func apply(
        _ value: String, to settings: inout Settings, as name: String
    ) throws(UsageError) {
        do throws(UsageError) {
            switch effect {
            case .flag(let set): try set(&settings)
            case .value(_, let set): try set(&settings, value)
            case .help, .version: break
            }
        } catch {
            throw UsageError("\(name): \(error.message)")
        }
    }
}

extension Option.Effect {
    /// Keeps a duration, written as in a file.
    static func duration(
        _ path: any WritableKeyPath<Settings, Duration?> & Sendable
    ) -> Self {
        .value("DURATION") { settings, text throws(UsageError) in
            guard let duration = DurationText.parse(text) else {
                let isNumber = !text.isEmpty && text.utf8.allSatisfy(\.isASCIIDigit)
                throw UsageError(
                    "expected a duration such as \"250ms\", \"5s\" or \"1m30s\", found \"\(text)\""
                        + (isNumber ? ": a number needs a unit" : ""))
            }
            guard duration > .zero else {
                throw UsageError("expected a duration above 0, found \"\(text)\"")
            }
            settings[keyPath: path] = duration
        }
    }

    /// Keeps one of a few words, such as `auto`, `always` and `never`.
    static func choice<Choice: CaseIterable & RawRepresentable<String> & SendableMetatype>(
        _ path: any WritableKeyPath<Settings, Choice> & Sendable, placeholder: String? = nil
    ) -> Self {
        let names = Choice.allCases.map(\.rawValue)
        let list = "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
        let shown = placeholder ?? names.joined(separator: "|")
        return .value(shown) { settings, text throws(UsageError) in
            guard let choice = Choice(rawValue: text) else {
                throw UsageError(
                    "expected \(list), found \"\(text)\""
                        + NearestName.hint(text, among: names))
            }
            settings[keyPath: path] = choice
        }
    }

    /// Changes how connections are made, once the transport has found that it can be done.
    static func connection(
        _ placeholder: String,
        _ set: @escaping @Sendable (inout ConnectionOverrides, String) -> Void
    ) -> Self {
        .value(placeholder) { settings, text throws(UsageError) in
            try settings.change { set(&$0, text) }
        }
    }

    /// The same, for an option without a value.
    static func connection(
        _ set: @escaping @Sendable (inout ConnectionOverrides) -> Void
    ) -> Self {
        .flag { settings throws(UsageError) in try settings.change(set) }
    }
}

extension Settings {
    /// Checks the change alone, so that what is wrong is said of the option that it is about.
    fileprivate mutating func change(
        _ set: (inout ConnectionOverrides) -> Void
    ) throws(UsageError) {
        var alone = ConnectionOverrides()
        set(&alone)
        try alone.check()
        set(&connection)
    }
}
