/// The options that write what happened to files.
extension OptionTable {
    static let reports = ReportKind.allCases.map(report) + [events, annotations, joined]

    private static func report(_ kind: ReportKind) -> Option {
        Option(
            names: [kind.option], summary: kind.summary, group: .reports, commands: [.run],
            traits: [.variable, .repeatable],
            effect: .value("FILE") { settings, path throws(UsageError) in
                guard !path.isEmpty else { throw UsageError("expected the path of a file") }
                settings.reports.append(ReportOrder(kind: kind, path: path))
            })
    }

    private static let events = Option(
        names: ["--events"],
        summary: "write a JSON object a line while it runs; -: to stdout",
        group: .reports, commands: [.run], traits: [.variable],
        effect: .value("FILE") { settings, path throws(UsageError) in
            guard !path.isEmpty else { throw UsageError("expected the path of a file") }
            settings.eventsPath = path
        })

    private static let annotations = Option(
        names: ["--annotations"],
        summary: "tell failures as auto, github or gitlab has it, or to none",
        group: .reports, commands: [.run], traits: [.variable],
        effect: .choice(\.annotations, placeholder: "STYLE"))

    private static let joined = Option(
        names: ["--output", "-o"], summary: "where merge writes; standard output by default",
        group: .reports, commands: [.merge], traits: [.commandLineOnly],
        effect: .value("FILE") { settings, path throws(UsageError) in
            guard !path.isEmpty else { throw UsageError("expected the path of a file") }
            settings.outputPath = path
        })
}

extension ReportKind {
    /// What it is good for.
    fileprivate var summary: String {
        switch self {
        case .junit: "write JUnit's XML for CI servers, a test case a request"
        case .json: "write all that is known of the run as JSON"
        case .tap: "write the Test Anything Protocol, version 14"
        case .html: "write a page for people, with a waterfall of the timings"
        case .har: "write an HTTP Archive for a browser's developer tools"
        }
    }
}
