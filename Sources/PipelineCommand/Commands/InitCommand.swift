/// Writes a small example that runs at once.
struct InitCommand {
    private let path: String
    private let overwrites: Bool
    private let console: Console

    init(_ settings: Settings, _ console: Console) {
        path = settings.operands.first ?? "pipeline.json"
        overwrites = settings.overwrites
        self.console = console
    }

    func perform() -> ExitCode {
        do {
            try NewFile.write(ExamplePipeline.text, to: path, replacing: overwrites)
        } catch {
            return report(error)
        }
        let name = ShellText.quoted(path.hasPrefix("-") ? "./\(path)" : path)
        let hints = Columns.rows([
            ("pipeline-run \(name)", "run it, answered from its own examples"),
            ("pipeline-run serve \(name)", "let an app talk to the examples"),
            ("pipeline-run --var API=https://api.example.com \(name)", "run it for real"),
            ("pipeline-run schema > pipeline.schema.json", "what \"$schema\" can name"),
        ])
        console.print([Line("wrote \(path)", .bold)] + hints.map { Line($0) })
        return .success
    }

    private func report(_ failure: NewFile.Failure) -> ExitCode {
        switch failure {
        case .exists:
            console.report(error: "\(path) is there already; --force replaces it")
            return .usage
        case .isFolder:
            console.report(error: "\(path) is a folder; give the path of a file to write")
            return .usage
        case .refused(let reason):
            console.report(error: "\(path) cannot be written: \(reason)")
            return .usage
        case .incomplete(let reason):
            console.report(error: "\(path) was not written whole: \(reason)")
            return .output
        }
    }
}
