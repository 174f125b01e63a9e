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
        console.print([
            Line("wrote \(path)", .bold),
            Line("  pipeline-run \(name)            runs it, answered from its own examples"),
            Line("  pipeline-run serve \(name)      lets your app talk to the examples"),
            Line("  pipeline-run --var API=https://api.example.com \(name)   runs it for real"),
        ])
        return .success
    }

    private func report(_ failure: NewFile.Failure) -> ExitCode {
        switch failure {
        case .exists:
            console.report(error: "\(path) is there already; --force replaces it")
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
