/// Completion for bash, from 3.2 on; to be read with `source`.
enum BashCompletion {
    static var text: String {
        """
        # Completion of pipeline-run for bash: source <(pipeline-run help --format bash)
        _pipeline_run() {
            local IFS=$'\\n' current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
            local command='' word words
            COMPREPLY=()
            # The sign of `--option=value` is a word of its own.
            [[ $previous != = ]] || previous=${COMP_WORDS[COMP_CWORD-2]}
            [[ $current != = ]] || current=
            case $previous in
        \(values)
            esac
            for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                case $word in
                    \(Subcommand.allCases.map(\.rawValue).joined(separator: "|"))) command=$word; break ;;
                esac
            done
            if [[ $current == -* ]]; then
                case ${command:-run} in
        \(options)
                esac
                COMPREPLY=($(compgen -W "$words" -- "$current"))
                return
            fi
            COMPREPLY=($(compgen -f -- "$current"))
            if [[ -z $command ]]; then
                COMPREPLY+=($(compgen -W \(list(Subcommand.allCases.map(\.rawValue))) -- "$current"))
            elif [[ $command == help ]]; then
                COMPREPLY=($(compgen -W \(list(Subcommand.allCases.map(\.rawValue))) -- "$current"))
            fi
        }
        complete -o filenames -F _pipeline_run pipeline-run

        """
    }

    /// What completes the value of an option.
    private static var values: String {
        var cases: [String] = []
        func add(_ kind: Option.ValueKind, _ action: String) {
            let names = OptionTable.all.filter { $0.valueKind == kind }.flatMap(\.names)
            guard !names.isEmpty else { return }
            cases.append("        \(names.joined(separator: "|"))) \(action); return ;;")
        }
        add(.file, #"COMPREPLY=($(compgen -f -- "$current"))"#)
        add(.folder, #"COMPREPLY=($(compgen -d -- "$current"))"#)
        var known: [[String]] = []
        for case .choice(let words)? in OptionTable.all.map(\.valueKind)
        where !known.contains(words) {
            known.append(words)
            add(.choice(words), #"COMPREPLY=($(compgen -W "# + list(words) + #" -- "$current"))"#)
        }
        add(.text, ":")
        return cases.joined(separator: "\n")
    }

    private static var options: String {
        Subcommand.allCases.map { command in
            let names = OptionTable.all.filter { $0.commands.contains(command) }.flatMap(\.names)
            return "            \(command.rawValue)) words=\(list(names)) ;;"
        }.joined(separator: "\n")
    }

    /// Words as `compgen -W` takes them when only line breaks divide them.
    private static func list(_ words: [String]) -> String {
        "$'" + words.joined(separator: "\\n") + "'"
    }
}
