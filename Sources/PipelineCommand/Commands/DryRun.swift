import PipelineCore

/// Shows what the run of one file would send, without sending it.
struct DryRun {
    let name: String
    let inputs: PipelineInputs
    let settings: Settings
    let console: Console
    let isFirst: Bool

    func perform() -> ExitCode {
        console.mask(with: inputs.redactor)
        let previews: [RequestPreview]
        do {
            previews = try inputs.previews(options: options)
        } catch {
            console.report(error.lines)
            return .usage
        }
        let title =
            Line(inputs.pipeline.name, .bold) + Line(" · \(name)")
            + Line(" · dry run, nothing is sent", .dim)
        console.print((isFirst ? [] : [Line()]) + [title])
        var code = ExitCode.success
        for preview in previews {
            switch preview.request {
            case .success(let request): show(preview.definition.name, request)
            case .failure(let error):
                let source = inputs.pipeline.source
                let place = preview.definition.place
                for finding in error.findings {
                    console.report(
                        source.diagnostic(finding.message, at: finding.place ?? place).lines)
                }
                code = code.or(.incomplete)
            case nil:
                console.print([Line(), Line("  \(preview.definition.name)  skipped", .dim)])
            }
        }
        return code
    }

    private func show(_ name: String, _ request: HTTPRequest) {
        // Both before anything is quoted, which would change the form of either.
        let redact = { [inputs] text in inputs.namingCaptures(in: inputs.redactor.redact(text)) }
        let messages = MessageLines(showsBodies: settings.verbosity > 1, redact: redact)
        console.print(
            [Line(), Line("  \(name)", .bold)]
                + [Line("    " + CurlCommand(request, redact: redact).text)]
                + messages.lines(of: request))
    }

    /// What is answered from examples has no address before its server is started.
    private var options: RunOptions {
        var options = RunOptions(settings)
        if inputs.needsStub {
            options.baseURL = "http://127.0.0.1"
            options.ownsBaseURL = true
        }
        return options
    }
}
