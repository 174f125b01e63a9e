import PipelineCore

/// What the options of a command line say.
struct Settings: Sendable {
    /// The files, in the order given.
    var operands: [String] = []
    var assignments: [Assignment] = []
    var variableFiles: [String] = []
    var timeout: Duration?
    var connectTimeout: Duration?
    var deadline: Duration?
    /// Whether a failed request does not cancel those that are left.
    var keepsGoing = false
    /// Whether a failed file keeps those after it from being started.
    var stopsAfterFailedFile = false
    var tls = TLSOptions()
    var isQuiet = false
    var color = Choice.auto
    var progress = Choice.auto
    var port = 0
    var fileRoot: String?
    /// Whether `init` may replace a file.
    var overwrites = false

    /// What depends on the terminal unless somebody decides.
    enum Choice: String, CaseIterable, Sendable {
        case auto, always, never
    }
}
