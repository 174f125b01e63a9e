import Foundation
import PipelineCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How far an exchange has come, and what its end means in words.
struct ExchangeProgress {
    /// `host:port` of the server.
    let place: String
    let host: String
    let method: String
    /// The limit that the user knows, with what earlier exchanges of the attempt took of it.
    let timeout: Duration?
    /// The size of the request's body.
    let sendSize: Int
    let start = ContinuousClock.now

    /// The bytes of the request's body that Foundation has handed on.
    var sent = 0
    /// The bytes of the response's body after decoding.
    var received = 0
    /// Why the server's certificate was not trusted.
    var refusedTrust: String?
    private(set) var firstByte: ContinuousClock.Instant?
    /// The length of the body on the wire, where the head told it and a body is to come.
    private(set) var announced: Int?
    private(set) var isCoded = false

    init(_ request: HTTPRequest) {
        place = "\(request.url.host):\(request.url.port)"
        host = request.url.host
        method = request.method
        timeout = request.timeout.map { $0 + request.timeSpent }
        sendSize = request.body?.size ?? 0
    }

    mutating func noteHead(_ head: HTTPResponse.Head, _ response: HTTPURLResponse) {
        firstByte = .now
        let hasBody = method != "HEAD" && ![204, 304].contains(head.status)
        isCoded = head.hasField("Content-Encoding")
        announced = hasBody ? head.fields["Content-Length"].flatMap { Int($0) } : nil
    }

    /// What is wrong with a response that Foundation takes for whole.
    var shortfall: TransportError? {
        guard firstByte != nil else {
            return TransportError(
                .connectionLost, "the connection to \(place) was lost before a response came")
        }
        guard let announced, !isCoded, received < announced else { return nil }
        return TransportError(.bodyCutShort, "the body ended after \(bodyProgress)")
    }

    /// A failure that was decided here and not by Foundation.
    func failure(_ code: TransportError.Code, hasBegun: Bool) -> TransportError {
        let message =
            switch code {
            case .timedOut: timeoutMessage
            case .refusedByReceiver: "no more of the body was wanted after \(bodyProgress)"
            default: "the exchange was cancelled"
            }
        return TransportError(code, message, isBeforeSending: !hasBegun)
    }

    private var timeoutMessage: String {
        let ran = "timed out after \(timeout?.shown ?? "")"
        if firstByte != nil { return "\(ran) with \(bodyProgress) of the body" }
        return sent < sendSize
            ? "\(ran), having sent \(sent) of \(sendSize) bytes"
            : "\(ran), waiting for the response of \(place)"
    }

    /// `40 of 500 bytes`; of a body that was decoded, what it became.
    var bodyProgress: String {
        guard let announced, !isCoded else {
            return "\(received)\(isCoded ? " decoded" : "") bytes"
        }
        return "\(received) of \(announced) bytes"
    }

    /// The measurements: Foundation's own where it has any, else what was seen from here.
    func metrics(_ collected: URLSessionTaskMetrics?) -> ExchangeMetrics {
        var metrics = ExchangeMetrics()
        metrics.decodedBodySize = received
        metrics.wireBodySize = isCoded ? announced ?? 0 : received
        metrics.timings.total = start.microseconds(to: .now)
        metrics.timings.firstByte = firstByte.map { start.microseconds(to: $0) } ?? 0
        collected?.apply(to: &metrics)
        return metrics
    }
}

extension ContinuousClock.Instant {
    fileprivate func microseconds(to end: Self) -> Int64 {
        let (seconds, attoseconds) = duration(to: end).components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
