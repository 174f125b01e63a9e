public import PipelineJSON

extension Pipeline {
    /// Starts the pipeline and returns at once.
    ///
    /// - Parameters:
    ///   - variables: Values by name; they replace those of the file.
    ///   - transport: What sends the requests. Cookies are kept by it, so take a new one for each
    ///     run.
    ///   - options: What differs from the file.
    ///   - observer: Told of each event as it happens, on the thread that brought it; it holds up
    ///     the run, so it should return soon.
    /// - Throws: ``PipelineError`` when a value is missing or cannot be used; nothing is sent.
    public func start(
        variables: [String: JSONValue] = [:], transport: any Transport,
        options: RunOptions = RunOptions(), observer: (@Sendable (RunEvent) -> Void)? = nil
    ) throws(PipelineError) -> PipelineRun {
        try bind(variables: variables, baseURL: options.baseURL)
            .start(transport: transport, options: options, observer: observer)
    }

    /// Runs the pipeline and waits for its end.
    ///
    /// Cancelling the task cancels the run: what is in flight ends at once, or nothing is sent when
    /// it was cancelled before; `finally` still runs, and the result tells what became of each request.
    ///
    /// Parameters and errors are those of
    /// ``start(variables:transport:options:observer:)``.
    public func run(
        variables: [String: JSONValue] = [:], transport: any Transport,
        options: RunOptions = RunOptions()
    ) async throws(PipelineError) -> RunResult {
        try await bind(variables: variables, baseURL: options.baseURL)
            .run(transport: transport, options: options)
    }
}

extension PipelineInputs {
    /// Starts the pipeline with these values and returns at once.
    ///
    /// - Parameters:
    ///   - transport: What sends the requests. Cookies are kept by it, so take a new one for each
    ///     run.
    ///   - options: What differs from the file.
    ///   - observer: Told of each event as it happens, on the thread that brought it; it holds up
    ///     the run, so it should return soon.
    /// - Throws: ``PipelineError`` when the base URL is `stub:`, or that of the options or their
    ///   selection cannot be used; nothing is sent.
    public func start(
        transport: any Transport, options: RunOptions = RunOptions(),
        observer: (@Sendable (RunEvent) -> Void)? = nil
    ) throws(PipelineError) -> PipelineRun {
        try start(
            transport: transport, options: options, clock: ContinuousClock(), observer: observer)
    }

    /// Runs the pipeline with these values and waits for its end.
    ///
    /// Cancelling the task cancels the run: what is in flight ends at once, or nothing is sent when
    /// it was cancelled before; `finally` still runs, and the result tells what became of each request.
    ///
    /// Parameters and errors are those of ``start(transport:options:observer:)``.
    public func run(
        transport: any Transport, options: RunOptions = RunOptions()
    ) async throws(PipelineError) -> RunResult {
        let run = try prepare(transport: transport, options: options)
        return await withTaskCancellationHandler {
            // A task that was cancelled before has cancelled the run by now.
            run.start()
            return await run.result
        } onCancel: {
            run.cancel()
        }
    }

    /// Starts the pipeline with a clock of the caller's, for tests.
    package func start(
        transport: any Transport, options: RunOptions = RunOptions(),
        clock: any Clock<Duration>, observer: (@Sendable (RunEvent) -> Void)? = nil
    ) throws(PipelineError) -> PipelineRun {
        let run = try prepare(
            transport: transport, options: options, clock: clock, observer: observer)
        run.start()
        return run
    }

    /// The run that ``PipelineRun/start()`` begins; until then it can be cancelled already.
    package func prepare(
        transport: any Transport, options: RunOptions = RunOptions(),
        clock: any Clock<Duration> = ContinuousClock(),
        observer: (@Sendable (RunEvent) -> Void)? = nil
    ) throws(PipelineError) -> PipelineRun {
        var inputs = self
        if let baseURL = options.baseURL { inputs = try replacingBaseURL(baseURL) }
        guard !inputs.needsStub else {
            throw PipelineError(
                Diagnostic(
                    "the baseURL is \"stub:\": start a StubServer and give its address as the "
                        + "baseURL of the options",
                    file: pipeline.source.name))
        }
        return try PipelineRun(
            inputs, transport: transport, options: options, clock: clock, observer: observer)
    }
}
