import PipelineCore
import PipelineJSON

/// A file with options that hold for many command lines: a JSON object whose names are those of
/// the options, without the dashes.
///
/// Messages show no line of it, as those about files of values: it may hold header fields.
struct ConfigurationFile {
    let path: String
    private let members: [JSONValue.Member]
    private let lines: SourceLines
    private var problems: [(offset: Int, message: String)] = []

    /// Which file is read.
    enum Choice: Sendable, Hashable {
        /// The one in the usual place, if it is there.
        case usual
        case none
        case file(String)
    }

    /// Reads the file; `nil` where there is none.
    ///
    /// - Parameter environment: Looks up the variables that tell where the usual place is.
    static func read(
        _ choice: Choice, environment: (String) -> String?
    ) throws(UsageError) -> ConfigurationFile? {
        switch choice {
        case .none: return nil
        case .file(let path): return try ConfigurationFile(path)
        case .usual:
            guard let path = usualPath(environment), Folder.hasFile(path) else { return nil }
            return try ConfigurationFile(path)
        }
    }

    /// As the XDG Base Directory Specification has it.
    private static func usualPath(_ environment: (String) -> String?) -> String? {
        func folder(_ name: String) -> String? {
            environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        return (folder("XDG_CONFIG_HOME") ?? folder("HOME").map { "\($0)/.config" })
            .map { "\($0)/pipeline-run/config.json" }
    }

    private init(_ path: String) throws(UsageError) {
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.read(path, limit: Pipeline.maximumFileSize)
        } catch {
            throw UsageError("the configuration file \(path) cannot be read: \(error.message)")
        }
        let root: JSONValue
        do {
            root = try JSONValue(parsing: bytes)
        } catch {
            throw UsageError("\(path):\(error.description)")
        }
        self.path = path
        lines = SourceLines(bytes)
        members = Array(root.members)
        if root.kind != .object { report("expected an object of options", root.sourceRange) }
        for doubled in root.doubledNames() {
            report("\"\(doubled.second.name)\" is written twice", doubled.second.nameRange)
        }
    }

    /// Takes over its options that belong to the command.
    ///
    /// - Parameter mentioned: The options that somebody else decides about, by their long names.
    /// - Throws: Everything that is wrong with it.
    func apply(
        to settings: inout Settings, of command: Subcommand, except mentioned: Set<String>
    ) throws(UsageError) {
        var file = self
        for member in members {
            guard let option = file.option(member) else { continue }
            let uses = file.uses(of: option, member.value)
            guard option.commands.contains(command), !mentioned.contains(option.names[0]) else {
                continue
            }
            for use in uses {
                do throws(UsageError) {
                    try option.apply(use.text, to: &settings, as: member.name)
                } catch {
                    file.report(error.message, use.place)
                }
            }
        }
        guard !file.problems.isEmpty else { return }
        let sorted = file.problems.sorted { $0.offset < $1.offset }
        throw UsageError(
            sorted.map { "\(path):\(lines.position(of: $0.offset)): \($0.message)" })
    }

    private mutating func report(_ message: String, _ place: Range<Int>) {
        problems.append((place.lowerBound, message))
    }
}

// From JSON to what would stand on a command line.
extension ConfigurationFile {
    /// One use of an option, as it would be written.
    private struct Use {
        var text = ""
        let place: Range<Int>
    }

    private mutating func option(_ member: JSONValue.Member) -> Option? {
        let name = member.name
        if let option = OptionTable.all.first(where: { $0.configurationKey == name }) {
            return option
        }
        if name == "secret" {
            report(
                "secrets do not belong in a configuration file; give them as PIPELINE_VAR_NAME "
                    + "in the environment, or with --vars-file", member.nameRange)
        } else if OptionTable.option("--\(name)") != nil {
            report("--\(name) is for the command line alone", member.nameRange)
        } else {
            let keys = OptionTable.all.lazy.compactMap(\.configurationKey)
            report(
                "unknown option \"\(name)\"\(NearestName.hint(name, among: keys))",
                member.nameRange)
        }
        return nil
    }

    private mutating func uses(of option: Option, _ value: JSONValue) -> [Use] {
        guard option.placeholder != nil else { return flag(value) }
        if option.names[0] == "--var", value.kind == .object { return assignments(value) }
        if option.traits.contains(.repeatable), value.kind == .array {
            return value.elements.flatMap { text(option, $0) }
        }
        return text(option, value)
    }

    private mutating func flag(_ value: JSONValue) -> [Use] {
        guard let isOn = value.boolean else {
            report("expected true or false", value.sourceRange)
            return []
        }
        return isOn ? [Use(place: value.sourceRange)] : []
    }

    private mutating func text(_ option: Option, _ value: JSONValue) -> [Use] {
        guard let text = value.string ?? (value.kind == .number ? value.sourceText : nil) else {
            report(
                option.traits.contains(.repeatable)
                    ? "expected a text, or a list of them" : "expected a text or a number",
                value.sourceRange)
            return []
        }
        let isRelative = option.takesPath && text != "-" && !text.isEmpty && !text.hasPrefix("/")
        return [Use(text: isRelative ? folder + text : text, place: value.sourceRange)]
    }

    private mutating func assignments(_ object: JSONValue) -> [Use] {
        object.members.compactMap { member in
            guard VariableName.isValid(member.name) else {
                report("\"\(member.name)\" is not the name of a variable", member.nameRange)
                return nil
            }
            let text = member.value.string.map { "\(member.name)=\($0)" }
            return Use(
                text: text ?? "\(member.name):=\(member.value.sourceText)",
                place: member.value.sourceRange)
        }
    }

    /// The folder that its paths begin from, with a slash; empty for the current one.
    private var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }
}
