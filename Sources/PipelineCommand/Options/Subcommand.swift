/// What the command line can do.
enum Subcommand: String, CaseIterable, Sendable {
    case run, validate, schema
    case initialize = "init"
    case serve, merge, help

    /// What follows the command.
    var operands: String {
        switch self {
        case .run, .validate: "FILE…"
        case .schema: ""
        case .initialize: "[FILE]"
        case .serve: "FILE"
        case .merge: "REPORT…"
        case .help: "[COMMAND]"
        }
    }

    /// How many operands there may be.
    var operandCount: ClosedRange<Int> {
        switch self {
        case .run, .validate, .merge: 1...Int.max
        case .schema: 0...0
        case .initialize, .help: 0...1
        case .serve: 1...1
        }
    }

    /// What it does, for the help.
    var summary: String {
        switch self {
        case .run: "run pipelines: files, folders, patterns, - for standard input"
        case .validate: "check files without sending anything"
        case .schema: "print the JSON Schema of the file format"
        case .initialize: "write a small example that runs at once (pipeline.json)"
        case .serve: "serve the file's examples on loopback until stopped"
        case .merge: "join the JUnit or JSON reports of several runs"
        case .help: "show this, or the options of a command"
        }
    }
}
