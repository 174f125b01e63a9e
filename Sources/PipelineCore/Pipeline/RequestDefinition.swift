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
    let cookies: [Cookie]
    let body: RequestBodyTemplate?
    let connection: Shared<ConnectionTemplate>
    /// The connection options when they are the same in every run; `nil` when values are put in.
    let fixedConnection: Shared<ConnectionOptions>?
    let saveTo: Shared<FileTemplate>?
    let limits: Shared<Limits>
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
        error.transportError?.code == .timedOut ? limits.value.timeoutPlace ?? place : place
    }

    /// Whether the file lets its server's certificate be verified.
    package var isVerified: Bool { connection.value.tls.isVerified }

    /// Whether anything but the status is looked at.
    var hasChecks: Bool { !expectations.checks.isEmpty || !captures.isEmpty }

    /// Who asks, and where the file says so.
    struct Credentials: Sendable {
        let template: CredentialsTemplate
        let place: SourcePlace
    }

    /// A cookie that only this request sends.
    struct Cookie: Sendable {
        let name: String
        let value: Template
        let place: SourcePlace
    }

    /// How long, how large and how often.
    struct Limits: Sendable {
        var timeout: Duration? = .seconds(30)
        var connectTimeout: Duration? = .seconds(10)
        /// Where the file says how long an attempt may take; `nil` for the default.
        var timeoutPlace: SourcePlace?
        var policy = RequestPolicy()
        /// What the request is repeated for; `nil` for nothing.
        var until: Expectations?
    }

    init(
        name: String, method: String, isEnabled: Bool, address: AddressTemplate,
        example: ExampleDefinition?, fields: FieldsTemplate, credentials: Credentials?,
        cookies: [Cookie], body: RequestBodyTemplate?, connection: Shared<ConnectionTemplate>,
        fixedConnection: Shared<ConnectionOptions>?, saveTo: Shared<FileTemplate>?,
        limits: Shared<Limits>, expectations: Expectations, captures: [Capture],
        neededSlots: [Int], place: SourcePlace
    ) {
        self.name = name
        self.method = method
        self.isEnabled = isEnabled
        self.address = address
        self.example = example
        self.fields = fields
        self.credentials = credentials
        self.cookies = cookies
        self.body = body
        self.connection = connection
        self.fixedConnection = fixedConnection
        self.saveTo = saveTo
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
package final class ExampleDefinition: Sendable {
    /// The status.
    package let status: Int
    /// How long the stub waits before it answers.
    package let delay: Duration
    let fields: FieldsTemplate
    let body: BodyTemplate?

    init(status: Int, delay: Duration, fields: FieldsTemplate, body: BodyTemplate?) {
        self.status = status
        self.delay = delay
        self.fields = fields
        self.body = body
    }
}
