/// The help, made from the option table.
enum HelpText {
    /// The help of one command, or of all when `nil`.
    static func text(for command: Subcommand?) -> String {
        guard let command else { return overview }
        var lines = ["usage: \(usage(of: command))", "", "  \(command.summary)"]
        lines += options(of: command)
        return lines.joined(separator: "\n") + "\n"
    }

    private static var overview: String {
        var lines = ["usage: pipeline-run [COMMAND] [OPTION…] FILE…", ""]
        lines.append("Runs HTTP requests one after the other and stops at the first failure.")
        lines += ["", "Commands"]
        lines += Columns.rows(
            Subcommand.allCases.map {
                ("\($0.rawValue) \($0.operands)".trimmed, $0.summary)
            })
        lines += ["  Without a command, the files are run."]
        lines += options(of: nil)
        lines += ["", "What FILE may be"] + Columns.rows(fileForms) + filled(fileRules)
        lines += ["", "Configuration file"] + filled(configuration)
        lines += ["", "Environment (an option on the command line goes before it)"]
        lines += Columns.rows(
            OptionTable.all.compactMap { option in
                option.variable.map { ($0, "as \(option.names[0])") }
            })
        lines += ["", "Examples"]
        lines += Columns.rows(examples)
        lines += ["", "Exit codes"]
        lines += Columns.rows(exitCodes)
        return lines.joined(separator: "\n") + "\n"
    }

    static let examples: [(left: String, right: String)] = [
        ("pipeline-run home-screen.json", "run one pipeline"),
        ("pipeline-run --secret password=… smoke.json", "give it what it needs"),
        ("pipeline-run --var API=http://127.0.0.1:8080 pipelines/", "run a folder of them"),
        ("pipeline-run --jobs 4 --report-junit junit.xml pipelines/", "in CI"),
        ("pipeline-run --only profile -v home-screen.json", "look at one request"),
        ("pipeline-run --data users.csv signup.json", "once for each row"),
        ("pipeline-run init && pipeline-run pipeline.json", "begin with an example"),
    ]

    static let fileForms: [(left: String, right: String)] = [
        ("a.json", "this pipeline, each time it is given"),
        ("suites/", "the *.json in the folder, but no *.schema.json"),
        ("'suites/**/*.json'", "what matches: * ? [a-z], and ** for any number of folders"),
        ("-", "standard input"),
    ]

    /// A sentence each, as in ``configuration``.
    static let fileRules = [
        "They run in this order, those of a folder or a pattern in the order of their bytes.",
        "Hidden ones are left out where the dot is not written.",
        "A pattern that matches no file is an error.",
    ]

    static let configuration = [
        "A JSON object with options by their long names, such as "
            + #"{ "timeout": "5s", "var": { "API": "https://api.example.com" } };"#
            + " lists where one may be repeated, and paths from its own folder on.",
        "It is the file of --config, else of PIPELINE_RUN_CONFIG, else pipeline-run/config.json in "
            + "$XDG_CONFIG_HOME or ~/.config.",
        "The command line goes before the environment, that before this file, and that before the "
            + "pipeline; --var and --vars-file merge by name, other options are replaced as a whole.",
        "For the command line alone: "
            + OptionTable.all.filter { $0.configurationKey == nil }.map { $0.names[0] }
            .joined(separator: ", ") + ".",
    ]

    static let exitCodes: [(left: String, right: String)] = [
        ("0", "every request succeeded"),
        ("1", "an expectation or a capture failed"),
        ("2", "wrong usage, an unreadable or invalid file, nothing to run"),
        ("3", "a request could not be completed"),
        ("4", "output could not be written"),
        ("130, 143", "interrupted by SIGINT, SIGTERM"),
    ]

    /// The sentences in lines of one width, indented by two.
    private static func filled(_ sentences: [String]) -> [String] {
        var lines: [String] = []
        for word in sentences.flatMap({ $0.split(separator: " ") }) {
            if let last = lines.last, last.count + word.count < 95 {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append("  \(word)")
            }
        }
        return lines
    }

    private static func usage(of command: Subcommand) -> String {
        let name = command == .run ? "[run]" : command.rawValue
        return "pipeline-run \(name) [OPTION…] \(command.operands)".trimmed
    }

    /// The options under their headings; those of all commands when `nil`.
    private static func options(of command: Subcommand?) -> [String] {
        var lines: [String] = []
        let shown = OptionTable.all.filter { option in
            command.map { option.commands.contains($0) } ?? true
        }
        let width = shown.map { heading($0).count }.max() ?? 0
        for group in Option.Group.allCases {
            let options = shown.filter { $0.group == group }
            guard !options.isEmpty else { continue }
            lines += ["", group.rawValue]
            lines += Columns.rows(options.map { (heading($0), $0.summary) }, width: width)
        }
        return lines
    }

    /// `-k, --insecure` or `--timeout DURATION`.
    private static func heading(_ option: Option) -> String {
        let names = option.sortedNames
        let indentation = names.contains { $0.count == 2 } ? "" : "    "
        return indentation + names.joined(separator: ", ")
            + (option.placeholder.map { " \($0)" } ?? "")
    }
}

extension String {
    fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
