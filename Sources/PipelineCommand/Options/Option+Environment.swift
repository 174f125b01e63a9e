import PipelineCore

extension Option {
    /// The environment variable that stands in for the option, such as `PIPELINE_RUN_TIMEOUT`;
    /// `nil` for none.
    var variable: String? {
        guard traits.contains(.variable) else { return nil }
        return "PIPELINE_RUN_"
            + names[0].dropFirst(2).uppercased().replacing("-", with: "_")
    }

    /// Applies what the environment says of options that the command line does not mention.
    ///
    /// - Parameters:
    ///   - mentioned: The long names of the options on the command line.
    ///   - environment: Looks up a variable; an empty one counts as not set.
    static func applyVariables(
        to settings: inout Settings, of command: Subcommand, except mentioned: Set<String>,
        from environment: (String) -> String?
    ) throws(UsageError) {
        // The help must be there when a variable is wrong.
        guard command != .help else { return }
        for option in OptionTable.all where option.commands.contains(command) {
            guard let variable = option.variable, !mentioned.contains(option.names[0]),
                let value = environment(variable), !value.isEmpty
            else { continue }
            try option.apply(value, to: &settings, as: variable)
        }
    }
}
