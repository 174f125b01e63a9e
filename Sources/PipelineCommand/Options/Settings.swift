import PipelineCore

/// What the options of a command line say.
struct Settings: Sendable {
    /// The files, in the order given.
    var operands: [String] = []
    var assignments: [Assignment] = []
    var variableFiles: [String] = []
    /// Which configuration file is asked for.
    var configuration = ConfigurationFile.Choice.usual
    /// What was read of one; `nil` where there is none.
    var configured: Configured?
    var timeout: Duration?
    var connectTimeout: Duration?
    var deadline: Duration?
    /// Whether a failed request does not cancel those that are left.
    var keepsGoing = false
    /// Whether a failed file keeps those after it from being started.
    var stopsAfterFailedFile = false
    /// How many files run side by side.
    var fileLimit = 1
    /// Which part of the files is run; `nil` for what the environment says.
    var shard: Shard?
    /// How often each file runs.
    var repeatCount = 1
    /// The file whose rows each file runs with; `nil` for none.
    var dataPath: String?
    /// Which requests of each file take part.
    var selection = RequestSelection()
    /// How many further attempts each request may have; `nil` for what the file says.
    var retryLimit: Int?
    var connection = ConnectionOverrides()
    var headers = FieldOverrides()
    /// `nil` for what the file says, empty for none.
    var userAgent: String?
    var reports: [ReportOrder] = []
    /// Where events go while they happen; `-` for standard output, `nil` for nowhere.
    var eventsPath: String?
    /// In which CI server's form failures are told.
    var annotations = Annotations.auto
    /// Where `merge` writes; `nil` for standard output.
    var outputPath: String?
    var isQuiet = false
    /// 1 to show the heads of messages, 2 for their bodies too.
    var verbosity = 0
    /// Whether files run again when they change.
    var watches = false
    /// Whether what would be sent is shown instead of being sent.
    var isDryRun = false
    var color = Choice.auto
    var progress = Choice.auto
    var port = 0
    var fileRoot: String?
    /// The form in which `help` writes.
    var helpFormat = HelpFormat.text
    /// Whether `init` may replace a file.
    var overwrites = false

    /// A configuration file that was read, with its values, which merge with those of the command
    /// line one by one.
    struct Configured: Sendable {
        let path: String
        let assignments: [Assignment]
        let variableFiles: [String]
    }

    /// What depends on the terminal unless somebody decides.
    enum Choice: String, CaseIterable, Sendable {
        case auto, always, never
    }

    /// Whether standard output belongs to a report or to events, so that what people read goes
    /// elsewhere.
    var usesStandardOutput: Bool {
        let paths = reports.map(\.path) + [eventsPath].compactMap(\.self)
        return paths.contains(where: StandardStream.output.isReached)
    }

    /// The header fields of the command line; `--header` goes before `--user-agent`.
    var fieldOverrides: FieldOverrides {
        guard let userAgent, !headers.mentions("User-Agent") else { return headers }
        var overrides = headers
        if userAgent.isEmpty {
            overrides.removedNames.append("User-Agent")
        } else {
            overrides.fields.append(HTTPField(name: "User-Agent", value: userAgent))
        }
        return overrides
    }
}
