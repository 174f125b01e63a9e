import PipelineCore

/// Every option of the command line, in the order of the help.
///
/// The table is all there is: parsing, the environment's variables, the configuration file, the help,
/// the manual, the completions and the suggestions come from it.
enum OptionTable {
    static let all =
        values + selection + limits + failures + requests + connection + output + reports + files
        + general

    /// The option that is written so.
    static func option(_ name: String) -> Option? {
        all.first { $0.names.contains(name) }
    }

    private static let values = [
        Option(
            names: ["--var"],
            summary: "give a variable a value: a string, or any JSON after NAME:=",
            group: .values, commands: [.run, .serve], traits: [.repeatable],
            effect: .value("NAME=VALUE") { settings, text throws(UsageError) in
                settings.assignments.append(try .variable(text))
            }),
        Option(
            names: ["--secret"], summary: "the same, masked in all output",
            group: .values, commands: [.run, .serve], traits: [.commandLineOnly],
            effect: .value("NAME=VALUE") { settings, text throws(UsageError) in
                settings.assignments.append(try .secret(text))
            }),
        Option(
            names: ["--vars-file"],
            summary: "take values from a file: a JSON object, or lines of NAME=VALUE",
            group: .values, commands: [.run, .serve], traits: [.repeatable, .variable],
            effect: .value("FILE") { settings, text in settings.variableFiles.append(text) }),
    ]

    private static let limits = [
        Option(
            names: ["--timeout"], summary: "how long each request may take, instead of the file's",
            group: .limits, commands: [.run], traits: [.variable],
            effect: .duration(\.timeout)),
        Option(
            names: ["--connect-timeout"], summary: "how long connecting may take",
            group: .limits, commands: [.run], traits: [.variable],
            effect: .duration(\.connectTimeout)),
        Option(
            names: ["--deadline"], summary: "how long the whole run of a file may take",
            group: .limits, commands: [.run], traits: [.variable],
            effect: .duration(\.deadline)),
        Option(
            names: ["--retry"],
            summary: "how often each request may be sent again, not as the file says",
            group: .limits, commands: [.run], traits: [.variable],
            effect: .value("N") { settings, text throws(UsageError) in
                guard let count = Int(text), 0...10_000 ~= count else {
                    throw UsageError("expected a number from 0 to 10000, found \"\(text)\"")
                }
                settings.retryLimit = count
            }),
    ]

    private static let failures = [
        Option(
            names: ["--keep-going"], summary: "do not stop at the first failed request",
            group: .failures, commands: [.run], effect: .flag { $0.keepsGoing = true }),
        Option(
            names: ["--fail-fast"], summary: "start no further file after a failed one",
            group: .failures, commands: [.run], effect: .flag { $0.stopsAfterFailedFile = true }),
    ]

    private static let output = [
        Option(
            names: ["--quiet", "-q"], summary: "print nothing but errors",
            group: .output, commands: [.run, .validate], effect: .flag { $0.isQuiet = true }),
        Option(
            names: ["--verbose", "-v"],
            summary: "show the heads of requests and responses; -vv: and their bodies",
            group: .output, commands: [.run], effect: .flag { $0.verbosity += 1 }),
        Option(
            names: ["--dry-run"], summary: "show what would be sent, and send nothing",
            group: .output, commands: [.run], traits: [.commandLineOnly],
            effect: .flag { $0.isDryRun = true }),
        Option(
            names: ["--color"], summary: "auto heeds NO_COLOR, CI, TERM=dumb and pipes",
            group: .output, commands: Subcommand.allCases, traits: [.variable],
            effect: .choice(\.color)),
        Option(
            names: ["--progress"], summary: "show what is running, on standard error",
            group: .output, commands: [.run], traits: [.variable],
            effect: .choice(\.progress)),
    ]

    /// The commands that read a configuration file.
    private static let readers: [Subcommand] = [.run, .validate, .serve]

    private static let files = [
        Option(
            names: ["--file-root"],
            summary: "where named files may be; the pipeline's folder by default",
            group: .files, commands: [.run, .validate, .serve], traits: [.variable],
            effect: .value("DIR") { settings, text in settings.fileRoot = text }),
        Option(
            names: ["--config"],
            summary: "take options from this file, not from the usual one",
            group: .files, commands: readers, traits: [.commandLineOnly, .variable],
            effect: .value("FILE") { settings, path throws(UsageError) in
                guard !path.isEmpty else { throw UsageError("expected the path of a file") }
                settings.configuration = .file(path)
            }),
        Option(
            names: ["--no-config"], summary: "take options from no file",
            group: .files, commands: readers, traits: [.commandLineOnly],
            effect: .flag { $0.configuration = .none }),
        Option(
            names: ["--force"], summary: "let init replace a file that is there",
            group: .files, commands: [.initialize], traits: [.commandLineOnly],
            effect: .flag { $0.overwrites = true }),
        Option(
            names: ["--port"], summary: "where serve listens on 127.0.0.1; a free port by default",
            group: .files, commands: [.serve],
            effect: .value("N") { settings, text throws(UsageError) in
                guard let port = Int(text), 0...65_535 ~= port else {
                    throw UsageError("expected a port from 0 to 65535, found \"\(text)\"")
                }
                settings.port = port
            }),
    ]

    private static let general = [
        Option(
            names: ["--help", "-h"], summary: "show this, or the options of a command",
            group: .general, commands: Subcommand.allCases, effect: .help),
        Option(
            names: ["--format"], summary: "how help is written: text, json, man, bash, zsh or fish",
            group: .general, commands: [.help], traits: [.commandLineOnly],
            effect: .choice(\.helpFormat, placeholder: "FORM")),
        Option(
            names: ["--version"], summary: "print the version",
            group: .general, commands: Subcommand.allCases, effect: .version),
    ]
}
