/// A kind of report that a run can write.
enum ReportKind: String, CaseIterable, Sendable {
    case junit, json, tap, html, har

    /// What messages call it.
    var title: String {
        switch self {
        case .junit: "JUnit"
        case .json: "JSON"
        case .tap: "TAP"
        case .html: "HTML"
        case .har: "HAR"
        }
    }

    /// The option that asks for it.
    var option: String { "--report-\(rawValue)" }

    /// What makes it.
    var format: any ReportFormat {
        switch self {
        case .junit: JUnitReport()
        case .json: JSONReport()
        case .tap: TAPReport()
        case .html: HTMLReport()
        case .har: HARReport()
        }
    }
}

/// A report that the command line asks for.
struct ReportOrder: Sendable {
    let kind: ReportKind
    /// Where it goes; `-` for standard output.
    let path: String
}
