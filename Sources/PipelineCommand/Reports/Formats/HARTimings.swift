import PipelineCore

/// How long the parts of an exchange took, as an HTTP Archive counts them.
///
/// `nil` is what did not happen; all that did happen, but ``ssl``, which is a part of ``connect``,
/// adds up to ``total``.
struct HARTimings: Sendable {
    var blocked: Duration?
    var dns: Duration?
    var connect: Duration?
    var ssl: Duration?
    var send = Duration.zero
    var wait = Duration.zero
    var receive = Duration.zero
    var comment: String?

    var total: Duration {
        (blocked ?? .zero) + (dns ?? .zero) + (connect ?? .zero) + send + wait + receive
    }

    init(_ exchange: ReportedExchange, in attempt: ReportedAttempt) {
        guard let metrics = exchange.metrics else {
            wait = max(.zero, attempt.duration - (exchange.offset - attempt.offset))
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
        if phases.tls > .zero { ssl = phases.tls }
    }
}
