import PipelineCore

/// One try to have a request answered.
struct ReportedAttempt: Sendable {
    /// From 1 on.
    let number: Int
    /// How long was waited before it.
    let wait: Duration
    /// From the start of the request to the dispatch of its first exchange.
    let offset: Duration
    let duration: Duration
    /// Why it was not enough; `nil` for one that was.
    let error: String?
    /// The exchanges in order; all but the last led to the next one.
    let exchanges: [ReportedExchange]
}

/// What one exchange sent and what came back.
struct ReportedExchange: Sendable {
    /// From the start of the request to its dispatch, as far as the timings of those before tell.
    let offset: Duration
    let request: ReportedMessage
    let url: String
    let method: String
    /// What came back; `nil` when nothing did.
    ///
    /// Only the last exchange of the last attempt has a body, where it was kept.
    let response: ReportedResponse?
    /// `nil` when the exchange was not completed.
    let metrics: ExchangeMetrics?
}

/// Header fields and a body.
struct ReportedMessage: Sendable {
    let fields: HTTPFields
    let body: ReportedBody?
}

/// What came back.
struct ReportedResponse: Sendable {
    let status: Int
    /// `1.1`, `2`, `3`.
    let version: String
    let message: ReportedMessage

    /// The name of the status; empty when it has none.
    var reason: String { HTTPStatus.reason(status) ?? "" }
}

/// A body, or the beginning of it.
struct ReportedBody: Sendable {
    /// At most ``limit`` bytes, with secrets masked.
    let bytes: [UInt8]
    /// How many bytes the whole body has.
    let size: Int
    /// Whether there is more than what is here.
    let isCut: Bool
    /// The media type as the message names it; `nil` when it does not.
    let mediaType: String?
    /// The file that the body was saved to; `nil` for none.
    let savedTo: String?

    /// How much of a body reports show: 64 KiB.
    static let limit = 65_536

    /// The bytes as text; `nil` for what is not UTF-8, or holds a NUL.
    ///
    /// Kept, since every report asks for it.
    let text: String?

    init(bytes: [UInt8], size: Int, isCut: Bool, mediaType: String?, savedTo: String?) {
        self.bytes = bytes
        self.size = size
        self.isCut = isCut
        self.mediaType = mediaType
        self.savedTo = savedTo
        text = bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }
}

/// How long the parts of an exchange took, in microseconds, in the order in which they happened.
struct ReportedPhases: Sendable {
    let dns: Int64
    let connect: Int64
    let tls: Int64
    /// From the connection being ready to the request being sent.
    let send: Int64
    /// From there to the first byte of the response.
    let wait: Int64
    let receive: Int64
    let total: Int64

    init(_ timings: ExchangeTimings) {
        func phase(_ start: Int64, _ end: Int64) -> Int64 { max(0, end - start) }
        dns = phase(0, timings.nameLookup)
        connect = phase(timings.nameLookup, timings.connect)
        tls = phase(timings.connect, timings.secureConnect)
        send = phase(timings.secureConnect, timings.sendStart)
        wait = phase(timings.sendStart, timings.firstByte)
        receive = phase(timings.firstByte, timings.total)
        total = phase(0, timings.total)
    }
}
