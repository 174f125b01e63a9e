import PipelineCore

/// How long the parts of an exchange took, as an HTTP Archive counts them, in microseconds.
///
/// `nil` is what did not happen; all that did happen, but ``ssl``, which is a part of ``connect``,
/// adds up to ``total``.
struct HARTimings: Sendable {
    var blocked: Int64?
    var dns: Int64?
    var connect: Int64?
    var ssl: Int64?
    var send = Int64(0)
    var wait = Int64(0)
    var receive = Int64(0)
    var comment: String?

    var total: Int64 {
        (blocked ?? 0) + (dns ?? 0) + (connect ?? 0) + send + wait + receive
    }

    init(_ exchange: ReportedExchange, in attempt: ReportedAttempt) {
        guard let metrics = exchange.metrics else {
            let time = attempt.duration - (exchange.offset - attempt.offset)
            wait = max(0, time.wholeMicroseconds)
            comment = "it was not completed: wait is all of its time"
            return
        }
        let phases = ReportedPhases(metrics.timings)
        (send, wait, receive) = (phases.send, phases.wait, phases.receive)
        if metrics.isConnectionReused {
            // What it took to find the connection.
            blocked = phases.dns + phases.connect + phases.tls
            return
        }
        dns = phases.dns
        connect = phases.connect + phases.tls
        if phases.tls > 0 { ssl = phases.tls }
    }
}
