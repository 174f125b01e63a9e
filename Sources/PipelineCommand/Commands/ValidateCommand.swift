import PipelineCore

/// Checks files without sending anything.
struct ValidateCommand {
    let settings: Settings
    let console: Console

    func perform() -> ExitCode {
        var code = ExitCode.success
        for file in PipelineFile.load(settings.operands, fileRoot: settings.fileRoot) {
            switch file.content {
            case .success(let pipeline):
                guard !settings.isQuiet else { continue }
                console.print([Line("\(file.name): ok, \(Self.counts(pipeline))")])
            case .failure(let error):
                console.report(error.lines)
                code = .usage
            }
        }
        return code
    }

    private static func counts(_ pipeline: Pipeline) -> String {
        let count = pipeline.requests.count
        let last = pipeline.finally.count
        return "\(count) request\(count == 1 ? "" : "s")"
            + (last == 0 ? "" : ", \(last) in finally")
    }
}
