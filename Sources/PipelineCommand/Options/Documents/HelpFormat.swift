/// A form in which the commands and options are written down.
enum HelpFormat: String, CaseIterable, Sendable {
    case text, json, man, bash, zsh, fish

    /// The text of it.
    ///
    /// - Parameter command: Whose help it is; all of it when `nil`, and in every form but `text`.
    func text(for command: Subcommand?) -> String {
        switch self {
        case .text: HelpText.text(for: command)
        case .json: OptionList.text
        case .man: ManualPage.text
        case .bash: BashCompletion.text
        case .zsh: ZshCompletion.text
        case .fish: FishCompletion.text
        }
    }
}

extension Option {
    /// What may stand as its value.
    enum ValueKind: Equatable {
        case file, folder
        /// One of these words.
        case choice([String])
        /// Anything.
        case text
    }

    /// `nil` for an option without a value.
    var valueKind: ValueKind? {
        switch placeholder {
        case nil: nil
        case "FILE": .file
        case "DIR": .folder
        case "FORM": .choice(HelpFormat.allCases.map(\.rawValue))
        case "STYLE": .choice(Settings.Annotations.allCases.map(\.rawValue))
        case let words? where words.contains("|"):
            .choice(words.split(separator: "|").map(String.init))
        case _?: .text
        }
    }

    /// The names as the help lists them: the short one first.
    var sortedNames: [String] { names.sorted { $0.count < $1.count } }
}
