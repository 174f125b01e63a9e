/// Completion for zsh; to be read with `source`, or as a file `_pipeline-run` in `$fpath`.
enum ZshCompletion {
    static var text: String {
        """
        #compdef pipeline-run
        # Completion of pipeline-run for zsh: source <(pipeline-run help --format zsh)
        _pipeline_run_operands() {
            local -a commands
            commands=(
        \(commands)
            )
            (( has_command )) || _describe -t commands command commands
            if [[ $1 == help ]]; then
                _describe -t commands command commands
            else
                _files
            fi
        }
        _pipeline_run() {
            local command=run word
            local -i has_command=0
            for word in ${words[2,CURRENT-1]}; do
                case $word in
                    \(Subcommand.allCases.map(\.rawValue).joined(separator: "|")))
                        command=$word has_command=1
                        break ;;
                esac
            done
            case $command in
        \(cases)
            esac
        }
        if [[ ${funcstack[1]} == _pipeline-run ]]; then
            _pipeline_run "$@"
        elif (( ${+functions[compdef]} )); then
            compdef _pipeline_run pipeline-run
        fi

        """
    }

    private static var commands: String {
        Subcommand.allCases.map { "        \(quoted("\($0.rawValue):\(escaped($0.summary))"))" }
            .joined(separator: "\n")
    }

    private static var cases: String {
        Subcommand.allCases.map { command in
            let options = OptionTable.all.filter { $0.commands.contains(command) }
            let lines =
                options.flatMap(arguments) + [
                    quoted("*:operand:_pipeline_run_operands \(command.rawValue)")
                ]
            return "        \(command.rawValue)) _arguments -s \\\n"
                + lines.map { "            \($0)" }.joined(separator: " \\\n") + " ;;"
        }.joined(separator: "\n")
    }

    /// An argument of `_arguments` for each name.
    private static func arguments(_ option: Option) -> [String] {
        let value = option.placeholder.map { ":\(escaped($0)):\(action(option))" } ?? ""
        return option.sortedNames.map { name in
            // Whether the value may also follow within the word.
            let sign = option.placeholder == nil ? "" : name.hasPrefix("--") ? "=" : "+"
            return quoted("*\(name)\(sign)[\(escaped(option.summary))]\(value)")
        }
    }

    private static func action(_ option: Option) -> String {
        switch option.valueKind {
        case .file: "_files"
        case .folder: "_files -/"
        case .choice(let words): "(\(words.joined(separator: " ")))"
        case .text, nil: " "
        }
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            if "[]:\\".contains(character) { result += "\\" }
            result.append(character)
        }
        return result
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }
}
