/// The manual page, in the language mdoc (`man 7 mdoc`).
enum ManualPage {
    static var text: String {
        var lines = [
            ".Dd November 30, 2026", ".Dt PIPELINE-RUN 1", ".Os", ".Sh NAME", ".Nm pipeline-run",
            ".Nd run HTTP requests one after the other", ".Sh SYNOPSIS", ".Nm pipeline-run",
            ".Op Ar command", ".Op Ar option ...", ".Ar file ...", ".Sh DESCRIPTION",
            "Runs the HTTP requests of pipeline files one after the other",
            "and stops at the first failure.", "Without a command, the files are run.",
            ".Sh COMMANDS",
        ]
        lines += list(
            Subcommand.allCases.map { command in
                let operands = command.operands.isEmpty ? "" : " Ar \(argument(command.operands))"
                return ("Cm \(command.rawValue)\(operands)", command.summary)
            })
        lines.append(".Sh OPTIONS")
        for group in Option.Group.allCases {
            let options = OptionTable.all.filter { $0.group == group }
            guard !options.isEmpty else { continue }
            lines.append(".Ss \(group.rawValue)")
            lines += list(options.map { (heading($0), $0.summary) })
        }
        lines += [
            ".Sh ENVIRONMENT", "An option on the command line goes before its variable.",
        ]
        lines += list(
            OptionTable.all.compactMap { option in
                option.variable.map { ("Ev \($0)", "as \(option.names[0])") }
            })
        lines.append(".Sh FILES")
        lines += list(HelpText.fileForms.map { ("Li \(argument($0.left))", $0.right) })
        lines += HelpText.fileRules.map(line)
        lines += [".Ss Configuration"] + HelpText.configuration.map(line)
        lines += [".Sh EXIT STATUS"]
        lines += list(HelpText.exitCodes.map { ("Li \(argument($0.left))", $0.right) })
        lines += [".Sh EXAMPLES"]
        for example in HelpText.examples {
            lines += [
                line("\(example.right.prefix(1).uppercased())\(example.right.dropFirst()):"),
                ".Pp", ".Dl \(escaped(example.left))", ".Pp",
            ]
        }
        // A paragraph that nothing follows is one too many.
        lines.removeLast()
        lines += [".Sh SEE ALSO", ".Xr curl 1"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func list(_ entries: [(heading: String, text: String)]) -> [String] {
        [".Bl -tag -width Ds"]
            + entries.flatMap { [".It \($0.heading)", line($0.text)] } + [".El"]
    }

    /// `Fl k , Fl -insecure` or `Fl -timeout Ar DURATION`.
    private static func heading(_ option: Option) -> String {
        option.sortedNames.map { "Fl \($0.dropFirst())" }.joined(separator: " , ")
            + (option.placeholder.map { " Ar \(argument($0))" } ?? "")
    }

    /// Text that begins no request.
    private static func line(_ text: String) -> String {
        (text.hasPrefix(".") || text.hasPrefix("'") ? #"\&"# : "") + escaped(text)
    }

    /// One argument of a macro that is none itself.
    private static func argument(_ text: String) -> String {
        "\"" + escaped(text).replacing("\"", with: #"\(dq"#) + "\""
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += #"\e"#
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result +=
                    #"\[u"# + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
                    + "]"
            }
        }
        return result
    }
}
