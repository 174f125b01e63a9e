import PipelineCore

/// The options about which requests of a file take part.
extension OptionTable {
    static let selection = [
        Option(
            names: ["--from"], summary: "begin with this request; those before are skipped",
            group: .selection, commands: [.run], traits: [.commandLineOnly],
            effect: .selection { $0.first = $1 }),
        Option(
            names: ["--to"], summary: "end with this request; finally still runs",
            group: .selection, commands: [.run], traits: [.commandLineOnly],
            effect: .selection { $0.last = $1 }),
        Option(
            names: ["--only"], summary: "run this request and no other; repeatable",
            group: .selection, commands: [.run], traits: [.commandLineOnly],
            effect: .selection { $0.only.append($1) }),
        Option(
            names: ["--jobs"], summary: "how many files run side by side; 1 by default",
            group: .selection, commands: [.run], traits: [.variable],
            effect: .value("N") { settings, text throws(UsageError) in
                guard let count = Int(text), 1...256 ~= count else {
                    throw UsageError("expected a number from 1 to 256, found \"\(text)\"")
                }
                settings.fileLimit = count
            }),
        Option(
            names: ["--shard"], summary: "run the I-th of N parts of the files",
            group: .selection, commands: [.run], traits: [.commandLineOnly],
            effect: .value("I/N") { settings, text throws(UsageError) in
                settings.shard = try Shard(text)
            }),
        Option(
            names: ["--repeat"], summary: "run each file so often",
            group: .selection, commands: [.run], traits: [.commandLineOnly],
            effect: .value("N") { settings, text throws(UsageError) in
                guard let count = Int(text), 1...100_000 ~= count else {
                    throw UsageError("expected a number from 1 to 100000, found \"\(text)\"")
                }
                settings.repeatCount = count
            }),
        Option(
            names: ["--data"],
            summary: "run each file with each row of this CSV file or JSON array",
            group: .selection, commands: [.run], traits: [.commandLineOnly],
            effect: .value("FILE") { settings, path in settings.dataPath = path }),
        Option(
            names: ["--watch"], summary: "run again when a file changes; Ctrl-C ends",
            group: .selection, commands: [.run], traits: [.commandLineOnly],
            effect: .flag { $0.watches = true }),
    ]
}

extension Option.Effect {
    fileprivate static func selection(
        _ set: @escaping @Sendable (inout RequestSelection, String) -> Void
    ) -> Self {
        .value("NAME") { settings, name throws(UsageError) in
            set(&settings.selection, name)
            let selection = settings.selection
            // A range and single requests would contradict each other.
            guard selection.only.isEmpty || selection.first == nil && selection.last == nil else {
                throw UsageError("--only cannot be combined with --from and --to")
            }
        }
    }
}
