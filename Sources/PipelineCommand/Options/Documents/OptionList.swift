import PipelineJSON

/// The commands and options as JSON, for programs.
enum OptionList {
    /// Within a version, members are only ever added.
    static let version = 1

    static var text: String {
        var writer = JSONWriter(pretty: true)
        writer.beginObject()
        writer.member("version", version)
        writer.member("program", "pipeline-run")
        writer.member("release", Version.text)
        writer.array("commands", Subcommand.allCases) { writer, command in
            writer.beginObject()
            writer.member("name", command.rawValue)
            writer.member("operands", command.operands)
            writer.member("summary", command.summary)
            writer.endObject()
        }
        writer.array("options", OptionTable.all) { writer, option in
            writer.beginObject()
            writer.member("names", option.names)
            writer.member("value", option.placeholder)
            if case .choice(let words) = option.valueKind { writer.member("choices", words) }
            writer.member("summary", option.summary)
            writer.member("environment", option.variable)
            writer.member("configuration", option.configurationKey)
            writer.member("group", option.group.rawValue)
            writer.member("commands", option.commands.map(\.rawValue))
            writer.endObject()
        }
        writer.array("exitCodes", HelpText.exitCodes) { writer, code in
            writer.beginObject()
            writer.member("code", code.left)
            writer.member("meaning", code.right)
            writer.endObject()
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }
}
