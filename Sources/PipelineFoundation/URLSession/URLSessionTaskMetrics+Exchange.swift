import Foundation
import PipelineCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSessionTaskMetrics {
    /// Whether a request was begun on any of the connections that were tried.
    var hasStartedRequest: Bool {
        transactionMetrics.contains { $0.requestStartDate != nil }
    }

    /// Puts in what Foundation measured of the last connection; each phase ends no earlier than the
    /// one before it.
    func apply(to metrics: inout ExchangeMetrics) {
        guard let transaction = transactionMetrics.last else { return }
        let start = taskInterval.start
        var last: Int64 = 0
        func end(_ date: Date?) -> Int64 {
            let time = date.map { Int64($0.timeIntervalSince(start) * 1_000_000) } ?? 0
            last = max(last, time)
            return last
        }
        metrics.timings.nameLookup = end(transaction.domainLookupEndDate)
        // Foundation counts the handshake as a part of connecting.
        metrics.timings.connect = end(
            transaction.secureConnectionStartDate ?? transaction.connectEndDate)
        metrics.timings.secureConnect = end(transaction.connectEndDate)
        metrics.timings.sendStart = end(transaction.requestStartDate)
        metrics.timings.firstByte = end(transaction.responseStartDate)
        metrics.timings.total = end(transaction.responseEndDate ?? taskInterval.end)
        metrics.isConnectionReused = transaction.isReusedConnection
        #if canImport(Darwin)
            metrics.remoteAddress = transaction.remoteAddress ?? ""
            metrics.remotePort = transaction.remotePort ?? 0
            metrics.wireBodySize = Int(transaction.countOfResponseBodyBytesReceived)
        #endif
    }
}
