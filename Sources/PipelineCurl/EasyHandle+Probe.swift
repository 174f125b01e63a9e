internal import CLibcurl
import PipelineCore

/// A certificate that was not trusted, before the server was asked for it again.
///
/// libcurl tells of a certificate only where it was accepted.
struct UnexplainedFailure {
    let error: TransportError
    /// What libcurl said.
    let reason: String
}

extension EasyHandle {
    /// How long it may take to look at a certificate, in milliseconds.
    private static let probeLimit = 2_000

    /// Whether there is more to be found out about a failure with that code.
    func canExplain(_ code: CURLcode) -> Bool {
        code == CURLE_PEER_FAILED_VERIFICATION && unexplained == nil
            && order?.exchange.isCancelled == false
    }

    /// Makes a new handle ready to take over from one that has failed: it connects once more without
    /// verifying, only to see the certificate.
    ///
    /// Nothing is sent, and the client's own certificate is not shown.
    ///
    /// - Returns: `false` when the request's time is over.
    func prepareProbe(for failed: EasyHandle, _ error: TransportError) -> Bool {
        guard let order = failed.order else { return false }
        let request = order.request
        var limit = Self.probeLimit
        if let timeout = request.timeout?.wholeMilliseconds {
            limit = min(limit, timeout - Int(failed.time(CURLINFO_TOTAL_TIME_T) / 1_000))
        }
        guard limit > 0 else { return false }
        var connection = request.connection
        connection.tls.isVerified = false
        connection.tls.certificate = nil
        connection.tls.key = nil
        do throws(TransportError) {
            try apply(connection: Shared(connection))
        } catch {
            return false
        }
        unexplained = UnexplainedFailure(error: error, reason: failed.errorText)
        self.order = order
        set(CURLOPT_URL, request.url.text)
        set(CURLOPT_CONNECT_ONLY, 1)
        set(CURLOPT_CERTINFO, 1)
        set(CURLOPT_FRESH_CONNECT, 1)
        set(CURLOPT_FORBID_REUSE, 1)
        // A server that resumes a session does not show its certificate.
        set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        set(CURLOPT_TIMEOUT_MS, limit)
        return isUsable
    }

    /// The failure with what the certificate tells about it; as it was when nothing was found.
    func explain(
        _ failure: UnexplainedFailure, _ order: CurlExchange.Order
    ) -> TransportError {
        let error = failure.error
        guard !order.exchange.isCancelled else { return .cancelled(isBeforeSending: true) }
        let explanation = CertificateFault.explanation(
            reason: failure.reason, chain: certificateLines, host: order.request.url.host,
            now: systemDateTime())
        guard let explanation else { return error }
        return TransportError(
            error.code, "\(untrusted(order.request.url)): \(explanation)",
            libraryCode: error.libraryCode, isBeforeSending: error.isBeforeSending)
    }
}
