public import PipelineCore

extension StubServer {
    /// Serves the examples of a pipeline.
    ///
    /// Each request that goes where the pipeline's `baseURL` points is answered from its `example`,
    /// with the values of the variables put in. Run the same inputs on ``baseURL``:
    ///
    /// ```swift
    /// let inputs = try pipeline.bind(variables: ["password": "correct horse"])
    /// let server = try StubServer(answering: inputs)
    /// defer { server.stop() }
    /// let result = try await inputs.replacingBaseURL(server.baseURL)
    ///     .run(transport: CurlTransport())
    /// ```
    ///
    /// - Parameters:
    ///   - inputs: The pipeline with its values.
    ///   - faults: What goes wrong with the first request, the second and so on, from 1 on.
    ///   - port: The port to listen on; 0, the default, takes one that is free.
    ///   - keepsRequests: Whether ``requests`` is kept, the default.
    /// - Throws: `PipelineError` naming each request without an example, or ``StubError`` when an
    ///   example cannot be answered or the port is taken.
    public convenience init(
        answering inputs: PipelineInputs, breaking faults: [Int: StubFault] = [:], port: Int = 0,
        keepsRequests: Bool = true
    ) throws {
        try self.init(
            answering: inputs.examples(), faults: .numbered(faults), port: port,
            keepsRequests: keepsRequests)
    }

    /// Serves examples whose values were put in before.
    package convenience init(
        answering examples: [ExampleAnswer], port: Int, keepsRequests: Bool
    ) throws(StubError) {
        try self.init(answering: examples, faults: [:], port: port, keepsRequests: keepsRequests)
    }

    convenience init(
        answering examples: [ExampleAnswer], faults: [FaultPlace: StubFault], port: Int = 0,
        keepsRequests: Bool = false
    ) throws(StubError) {
        let routes = try examples.map { example throws(StubError) in try StubRoute(example) }
        try self.init(routes: routes, faults: faults, port: port, keepsRequests: keepsRequests)
    }
}

extension StubRoute {
    fileprivate init(_ example: ExampleAnswer) throws(StubError) {
        let path = StubPath(example.pathPieces.map { $0.map { .literal($0) } ?? .hole })
        try self.init(
            method: example.method, path: path,
            answer: StubAnswer(
                status: example.status, fields: example.fields, body: example.body,
                delay: example.delay),
            name: example.name)
    }
}
