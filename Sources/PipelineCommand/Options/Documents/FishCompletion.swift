/// Completion for fish; to be read with `source`.
enum FishCompletion {
    static var text: String {
        let names = Subcommand.allCases.map(\.rawValue).joined(separator: " ")
        var lines = [
            "# Completion of pipeline-run for fish: pipeline-run help --format fish | source",
            "complete -c pipeline-run -e",
        ]
        for command in Subcommand.allCases {
            lines.append(
                "complete -c pipeline-run -n \(quoted("not __fish_seen_subcommand_from \(names)")) "
                    + "-a \(command.rawValue) -d \(quoted(command.summary))")
        }
        lines.append(
            "complete -c pipeline-run -n '__fish_seen_subcommand_from help' -f -a \(quoted(names))")
        lines += OptionTable.all.map(line)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ option: Option) -> String {
        var words = ["complete -c pipeline-run"]
        if let condition = condition(option) { words += ["-n", quoted(condition)] }
        for name in option.sortedNames {
            words +=
                name.hasPrefix("--")
                ? ["-l", "\(name.dropFirst(2))"] : ["-s", "\(name.dropFirst())"]
        }
        switch option.valueKind {
        case .file: words += ["-r", "-F"]
        case .folder: words += ["-x", "-a", quoted("(__fish_complete_directories)")]
        case .choice(let choices): words += ["-x", "-a", quoted(choices.joined(separator: " "))]
        case .text: words.append("-x")
        case nil: break
        }
        return (words + ["-d", quoted(option.summary)]).joined(separator: " ")
    }

    /// When an option may be written; `nil` for always.
    ///
    /// Without a command it is an option of `run`.
    private static func condition(_ option: Option) -> String? {
        let others = Subcommand.allCases.filter { !option.commands.contains($0) }
        guard !others.isEmpty else { return nil }
        func seen(_ commands: [Subcommand]) -> String {
            "__fish_seen_subcommand_from " + commands.map(\.rawValue).joined(separator: " ")
        }
        return option.commands.contains(.run) ? "not \(seen(others))" : seen(option.commands)
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: #"\\"#).replacing("'", with: #"\'"#) + "'"
    }
}
