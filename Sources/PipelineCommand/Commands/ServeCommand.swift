import PipelineCore
import PipelineStub

/// Serves a file's examples on loopback until a signal comes, which is the orderly end.
struct ServeCommand: LastingCommand {
    private let settings: Settings
    private let console: Console
    private let values: GivenValues

    init(_ settings: Settings, _ console: Console) throws(UsageError) {
        self.settings = settings
        self.console = console
        values = try GivenValues(settings)
    }

    func perform(until interruption: Interruption) -> ExitCode {
        console.heed(interruption)
        console.mask(with: values.redactor)
        let server: StubServer
        do {
            server = try start()
        } catch {
            console.report(error.lines)
            return .usage
        }
        interruption.wait()
        server.stop()
        return console.exitCode
    }

    private func start() throws(PipelineError) -> StubServer {
        let files = PipelineFile.load(settings.operands, fileRoot: settings.fileRoot)
        guard files.count == 1 else {
            let message = "serve takes one pipeline, found \(files.count)"
            throw PipelineError(Diagnostic(message, file: settings.operands[0]))
        }
        let file = files[0]
        let pipeline = try file.content.get()
        if let stray = values.undeclaredName(in: [pipeline]) {
            throw PipelineError(Diagnostic(stray, file: file.name))
        }
        let inputs = try values.bind(pipeline, baseURL: PipelineInputs.stub)
        console.mask(with: inputs.redactor)
        let examples = try inputs.examples()
        guard !examples.isEmpty else {
            throw PipelineError(Diagnostic("there is nothing to serve", file: file.name))
        }
        let server = try inputs.startStub(answering: examples, port: settings.port)
        announce(file.name, server, examples)
        return server
    }

    private func announce(_ name: String, _ server: StubServer, _ examples: [ExampleAnswer]) {
        let width = examples.map(\.method.displayWidth).max() ?? 0
        var lines = [Line("serving \(name) on \(server.baseURL)", .bold)]
        for example in examples {
            let path = example.pathPieces.map { $0 ?? "{}" }.joined()
            lines.append(
                Line("  \(example.method.padded(toWidth: width)) ", .dim)
                    + Line("\(path)   ") + Line(example.name, .dim))
        }
        console.print(lines)
    }
}
