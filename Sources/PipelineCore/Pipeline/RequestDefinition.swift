/// One request of a pipeline file, compiled: nothing of the file is parsed again when it runs.
package final class RequestDefinition: Sendable {
    /// What reports call it; unique in its pipeline.
    package let name: String
    /// The method.
    package let method: String
    /// Whether it takes part in a run.
    package let isEnabled: Bool
    /// Where it goes.
    package let address: AddressTemplate
    /// What the stub answers; `nil` when the file has no example.
    package let example: ExampleDefinition?

    let fields: FieldsTemplate
    let credentials: Credentials?
    let body: BodyTemplate?
    let limits: Limits
    let expectations: Expectations
    let captures: [Capture]
    /// Whether a check or a capture looks at the server's certificate.
    let wantsCertificate: Bool
    /// The slots that it reads and only earlier responses fill.
    let neededSlots: [Int]
    /// Where the file names it, for failures that have no better place.
    package let place: SourcePlace

    /// Where the file says what an error is about that is not about the response: the limit that was
    /// reached, or else the request.
    package func place(of error: RequestError) -> SourcePlace {
        error.transportError?.code == .timedOut ? limits.timeoutPlace ?? place : place
    }

    /// Whether anything but the status is looked at.
    var hasChecks: Bool { !expectations.checks.isEmpty || !captures.isEmpty }

    /// Who asks, and where the file says so.
    struct Credentials: Sendable {
        let template: CredentialsTemplate
        let place: SourcePlace
    }

    /// How long and how large; one value for all requests that set nothing of it themselves.
    final class Limits: Sendable {
        let timeout: Duration?
        let connectTimeout: Duration?
        let bodySize: Int
        /// Where the file says how long an attempt may take; `nil` for the default.
        let timeoutPlace: SourcePlace?

        init(
            timeout: Duration? = .seconds(30), connectTimeout: Duration? = .seconds(10),
            bodySize: Int = defaultBodyLimit, timeoutPlace: SourcePlace? = nil
        ) {
            self.timeout = timeout
            self.connectTimeout = connectTimeout
            self.bodySize = bodySize
            self.timeoutPlace = timeoutPlace
        }
    }

    init(
        name: String, method: String, isEnabled: Bool, address: AddressTemplate,
        example: ExampleDefinition?, fields: FieldsTemplate, credentials: Credentials?,
        body: BodyTemplate?, limits: Limits, expectations: Expectations, captures: [Capture],
        neededSlots: [Int], place: SourcePlace
    ) {
        self.name = name
        self.method = method
        self.isEnabled = isEnabled
        self.address = address
        self.example = example
        self.fields = fields
        self.credentials = credentials
        self.body = body
        self.limits = limits
        self.expectations = expectations
        self.captures = captures
        wantsCertificate =
            expectations.wantCertificate || captures.contains { $0.source.isCertificate }
        self.neededSlots = neededSlots
        self.place = place
    }
}

/// What the stub answers to a request.
package struct ExampleDefinition: Sendable {
    /// The status.
    package let status: Int
    /// How long the stub waits before it answers.
    package let delay: Duration
    let fields: FieldsTemplate
    let body: BodyTemplate?
}
