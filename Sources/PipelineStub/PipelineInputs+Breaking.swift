public import PipelineCore

/// One run of a pipeline in which one request was made to go wrong.
public struct BrokenRun: Sendable {
    /// The name of the request whose answer was broken.
    public let request: String
    /// What was wrong with it.
    public let fault: StubFault
    /// How the run went.
    public let result: RunResult
}

extension PipelineInputs {
    /// Runs the pipeline once for each way in which each of its requests can break.
    ///
    /// The requests are answered from their examples by a ``StubServer``. What an app makes of the
    /// results can be checked in one loop:
    ///
    /// ```swift
    /// for run in try await inputs.runs(breaking: [.status(503), .drop], transport: { CurlTransport() }) {
    ///     #expect(StartView(run.result).showsRetryButton, "\(run.request), \(run.fault)")
    /// }
    /// ```
    ///
    /// It goes wrong once: a request that is tried again is answered. Of several with one method and
    /// path, it is the one whose example has its turn.
    ///
    /// - Parameters:
    ///   - faults: What goes wrong with each request, one after the other; an error of the server,
    ///     an answer that is too late, a connection that is closed, and a body that is cut short by
    ///     default.
    ///   - options: What differs from the file; a timeout of one second unless they say otherwise.
    ///   - transport: Makes what sends the requests, for each run a new one.
    /// - Returns: The runs, for each request in the order of the file, and for each fault.
    /// - Throws: `PipelineError` naming each request without an example, or ``StubError``.
    public func runs(
        breaking faults: [StubFault] = [.status(500), .delay(.seconds(60)), .drop, .cutShort],
        options: RunOptions = RunOptions(), transport: () -> any Transport
    ) async throws -> [BrokenRun] {
        var options = options
        options.timeout = options.timeout ?? .seconds(1)
        var runs: [BrokenRun] = []
        let examples = try examples()
        for example in examples {
            for fault in faults {
                let server = try StubServer(
                    answering: examples, faults: [.route(name: example.name): fault])
                defer { server.stop() }
                let result = try await replacingBaseURL(server.baseURL)
                    .run(transport: transport(), options: options)
                runs.append(BrokenRun(request: example.name, fault: fault, result: result))
            }
        }
        return runs
    }
}
