import PipelineCore
import Synchronization

/// Tells a CI server what failed, in the form that it shows beside the code.
///
/// Failures are kept while the files run, as many as are shown, and told at the end in the order of
/// the command line, whatever ended the run. May be used from any thread.
final class Annotations: Sendable {
    private let style: AnnotationStyle
    /// Whether somebody asked for this style by name, and so wants to know when it fails.
    private let isWanted: Bool
    /// The failures of each file, and how many there are.
    private let files: Mutex<[(annotations: [Annotation], count: Int)]>
    private let stop = GitHubCommands.Stop()

    /// So many failures of a file are kept.
    static let limit = 50

    /// `nil` when no server is to be told.
    init?(_ settings: Settings, fileCount: Int) {
        guard let style = settings.annotationStyle else { return nil }
        self.style = style
        isWanted = settings.annotations != .auto
        files = Mutex(Array(repeating: ([], 0), count: fileCount))
    }

    /// Keeps what is wrong with a request, if anything is.
    func note(_ request: ReportedRequest, in file: ReportedFile) {
        note(request.error?.findings ?? [], title: "\(file.title): \(request.name)", in: file)
    }

    /// Keeps what is wrong with a file.
    func note(_ findings: [ReportedFinding], title: String, in file: ReportedFile) {
        files.withLock { files in
            let room = Self.limit - files[file.number].annotations.count
            files[file.number].annotations += findings.prefix(room).map {
                Annotation($0, title: title, in: file)
            }
            files[file.number].count += findings.count
        }
    }

    /// Keeps the server from taking what the run prints, which servers had a part in, for commands.
    func begin(on console: Console) {
        if style == .github { console.print(verbatim: stop.beginning) }
    }

    /// Tells the failures of the run.
    ///
    /// - Returns: Why something could not be written that was asked for by name.
    func finish(
        _ run: ReportedRun, on console: Console, until interruption: Interruption
    ) -> String? {
        let files = files.withLock(\.self)
        let annotations = files.flatMap(\.annotations)
        let count = files.reduce(0) { $0 + $1.count }
        switch style {
        case .github:
            console.print(
                verbatim: stop.end + GitHubCommands.text(annotations, of: count))
            guard let path = Environment.value("GITHUB_STEP_SUMMARY"), !path.isEmpty else {
                return nil
            }
            let summary = StepSummary.text(of: run, annotations, of: count)
            guard let reason = StepSummary.append(summary, to: path, until: interruption) else {
                return nil
            }
            let failure = "the step summary could not be written to \(path): \(reason)"
            if isWanted { return failure }
            console.report([.warning(failure)])
        case .gitlab:
            console.print(verbatim: GitLabSection.text(annotations, of: count, at: .now))
        }
        return nil
    }
}
