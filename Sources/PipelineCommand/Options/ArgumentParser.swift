import PipelineCore

/// What a command line asks for.
struct Invocation: Sendable {
    var command = Subcommand.run
    var settings = Settings()
    /// What is printed instead of doing anything.
    var notice: Notice?

    enum Notice: Sendable {
        /// The help, or that of one command.
        case help(Subcommand?)
        case version
    }
}

/// Reads a command line after the option table.
struct ArgumentParser {
    private var rest: ArraySlice<String>
    private var operands: [String] = []
    /// How many operands came before `--`: only there can a command be.
    private var commandLimit: Int?
    private var uses: [Use] = []

    /// One option as it was written.
    private struct Use {
        let option: Option
        let spelling: String
        let value: String?

        func apply(to settings: inout Settings) throws(UsageError) {
            try option.apply(value ?? "", to: &settings, as: spelling)
        }
    }

    /// Reads the arguments that follow the name of the program.
    ///
    /// - Parameter environment: Looks up the variables that stand in for options.
    static func parse(
        _ arguments: [String], environment: (String) -> String? = Environment.value
    ) throws(UsageError) -> Invocation {
        var parser = ArgumentParser(rest: arguments[...])
        try parser.readAll()
        return try parser.invocation(environment)
    }

    private init(rest: ArraySlice<String>) {
        self.rest = rest
    }

    private mutating func readAll() throws(UsageError) {
        while let argument = rest.popFirst() {
            if argument == "--" {
                commandLimit = operands.count
                operands += rest
                rest = []
            } else if argument.hasPrefix("--") {
                try readLong(argument)
            } else if argument.hasPrefix("-"), argument != "-" {
                try readShort(argument)
            } else {
                operands.append(argument)
            }
        }
    }

    private mutating func readLong(_ argument: String) throws(UsageError) {
        let parts = argument.splitAtEqualsSign
        let name = parts?.before ?? argument
        let option = try Self.option(name)
        if let value = parts?.after, option.placeholder == nil {
            throw UsageError("\(name) takes no value, found \"\(value)\"")
        }
        try use(option, as: name, value: parts?.after)
    }

    /// Reads `-k`, `-kq`, and a value that follows its letter at once.
    private mutating func readShort(_ argument: String) throws(UsageError) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            let option = try Self.option("-\(letter)")
            let isValue = option.placeholder != nil && !letters.isEmpty
            try use(option, as: "-\(letter)", value: isValue ? String(letters) : nil)
            if isValue { return }
        }
    }

    private mutating func use(
        _ option: Option, as spelling: String, value: String?
    ) throws(UsageError) {
        var value = value
        if let placeholder = option.placeholder, value == nil {
            value = rest.popFirst()
            if value == nil { throw UsageError("\(spelling) needs a value: \(placeholder)") }
        }
        uses.append(Use(option: option, spelling: spelling, value: value))
    }

    private static func option(_ name: String) throws(UsageError) -> Option {
        guard let option = OptionTable.option(name) else {
            let known = OptionTable.all.lazy.flatMap(\.names)
                .filter { $0.hasPrefix("--") }
            let hint = name.hasPrefix("--") ? NearestName.hint(name, among: known) : ""
            throw UsageError("unknown option \(name)\(hint)")
        }
        return option
    }
}

// From what was read to what is asked for.
extension ArgumentParser {
    private func invocation(
        _ environment: (String) -> String?
    ) throws(UsageError) -> Invocation {
        var invocation = Invocation()
        var operands = operands
        var isNamed = false
        if commandLimit != 0, let first = operands.first, let command = Subcommand(rawValue: first)
        {
            invocation.command = command
            operands.removeFirst()
            isNamed = true
        }
        for use in uses {
            switch use.option.effect {
            case .help:
                invocation.notice = .help(isNamed ? invocation.command : nil)
                for use in uses where use.option.commands == [.help] {
                    try use.apply(to: &invocation.settings)
                }
            case .version: invocation.notice = .version
            case .flag, .value: continue
            }
            return invocation
        }
        if commandLimit != 0, !isNamed, let first = operands.first {
            try Self.checkSpelling(first)
        }
        let defaults = invocation
        try apply(to: &invocation, environment)
        if let file = try configuration(of: invocation, environment) {
            invocation = defaults
            try apply(file, to: &invocation, environment)
            try apply(to: &invocation, environment)
        }
        if invocation.command == .help {
            invocation.notice = .help(try Self.topic(operands))
            return invocation
        }
        try Self.check(operands, of: invocation.command)
        invocation.settings.operands = operands
        return invocation
    }

    /// Refuses a word that looks like a command rather than a file that is not there: the files
    /// behind it may have been meant to be checked, not to be run.
    private static func checkSpelling(_ word: String) throws(UsageError) {
        let isPath = word.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
        guard !isPath, !Folder.hasFile(word) else { return }
        let hint = NearestName.hint(word, among: Subcommand.allCases.map(\.rawValue))
        guard hint.isEmpty else {
            throw UsageError("there is neither a file nor a command \"\(word)\"\(hint)")
        }
    }

    private func configuration(
        of invocation: Invocation, _ environment: (String) -> String?
    ) throws(UsageError) -> ConfigurationFile? {
        let readers = OptionTable.option("--config")?.commands ?? []
        guard readers.contains(invocation.command) else { return nil }
        return try ConfigurationFile.read(
            invocation.settings.configuration, environment: environment)
    }

    private var mentioned: Set<String> { Set(uses.compactMap(\.option.names.first)) }

    /// Applies what a configuration file says, unless the environment or the command line do.
    private func apply(
        _ file: ConfigurationFile, to invocation: inout Invocation,
        _ environment: (String) -> String?
    ) throws(UsageError) {
        let set = OptionTable.all.filter { option in
            option.variable.flatMap(environment).map { !$0.isEmpty } ?? false
        }
        var decided = mentioned.union(set.map { $0.names[0] })
        // Values are merged instead of replaced as a whole.
        decided.subtract(["--var", "--vars-file"])
        // The key would be that of another certificate.
        if decided.contains("--cert") { decided.insert("--key") }
        var settings = Settings()
        try file.apply(to: &settings, of: invocation.command, except: decided)
        settings.configured = Settings.Configured(
            path: file.path, assignments: settings.assignments,
            variableFiles: settings.variableFiles)
        settings.assignments = []
        settings.variableFiles = []
        invocation.settings = settings
    }

    /// Applies what the environment and the command line say.
    private func apply(
        to invocation: inout Invocation, _ environment: (String) -> String?
    ) throws(UsageError) {
        try Option.applyVariables(
            to: &invocation.settings, of: invocation.command, except: mentioned,
            from: environment)
        for use in uses {
            guard use.option.commands.contains(invocation.command) else {
                let owners = use.option.commands.map(\.rawValue).joined(separator: " and ")
                throw UsageError(
                    "\(use.spelling) is an option of \(owners), not of "
                        + invocation.command.rawValue)
            }
            try use.apply(to: &invocation.settings)
        }
    }

    private static func topic(_ operands: [String]) throws(UsageError) -> Subcommand? {
        try check(operands, of: .help)
        guard let name = operands.first else { return nil }
        guard let command = Subcommand(rawValue: name) else {
            let names = Subcommand.allCases.map(\.rawValue)
            throw UsageError(
                "there is no command \"\(name)\"\(NearestName.hint(name, among: names))")
        }
        return command
    }

    private static func check(
        _ operands: [String], of command: Subcommand
    ) throws(UsageError) {
        let allowed = command.operandCount
        if operands.count > allowed.upperBound {
            throw UsageError(
                "\(command.rawValue) takes "
                    + (allowed.upperBound == 0 ? "no argument" : "one argument at most")
                    + ", found \"\(operands[allowed.upperBound])\"")
        }
        if operands.count < allowed.lowerBound {
            let what = command == .merge ? "report" : "pipeline file"
            throw UsageError("\(command.rawValue) needs the name of a \(what)")
        }
    }
}
