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

    func perform(until interruption: Interruption) async -> ExitCode {
        let files = PipelineFile.load(settings.operands)
        guard files.count == 1, let file = files.first else {
            console.report(error: "serve takes one pipeline, found \(files.count)")
            return .usage
        }
        do {
            let pipeline = try file.content.get()
            try values.checkNames(in: [pipeline])
            let inputs = try values.bind(pipeline, baseURL: PipelineInputs.stub)
            console.mask(with: inputs.redactor)
            let routes = try inputs.routes()
            guard !routes.isEmpty else {
                throw UsageError("\(file.name): there is nothing to serve")
            }
            let server = try StubServer(routes, port: settings.port)
            announce(file.name, server, routes)
            await interruption.wait()
            server.stop()
            return console.exitCode
        } catch let error as PipelineError {
            console.report(error.lines)
        } catch let error as UsageError {
            console.report(error: error.message)
        } catch {
            console.report(error: "\(error)")
        }
        return .usage
    }

    private func announce(_ name: String, _ server: StubServer, _ routes: [StubRoute]) {
        let width = routes.map(\.method.displayWidth).max() ?? 0
        var lines = [Line("serving \(name) on \(server.baseURL)", .bold)]
        for route in routes {
            lines.append(
                Line("  \(route.method.padded(toWidth: width)) ", .dim)
                    + Line("\(route.path)   ") + Line(route.name, .dim))
        }
        console.print(lines)
    }
}
