internal import CLibcurl
import PipelineCore

extension EasyHandle {
    /// What the receiver is told of a transfer that ended with that code; reports the head first
    /// where that was put off.
    func result(
        _ code: CURLcode, of order: CurlExchange.Order
    ) -> Result<ExchangeMetrics, TransportError> {
        guard code == CURLE_OK else { return .failure(failure(code, of: order)) }
        guard head.isComplete else {
            // libcurl takes a head that was cut off for a whole one.
            return .failure(
                TransportError(
                    .connectionLost, "the connection was closed within the head of the response"))
        }
        reportHead(to: order)
        return .success(metrics)
    }

    private var metrics: ExchangeMetrics {
        var metrics = ExchangeMetrics()
        var last: Int64 = 0
        // libcurl has 0 for a phase that did not happen.
        func end(_ info: CURLINFO) -> Int64 {
            last = max(last, time(info))
            return last
        }
        metrics.timings.nameLookup = end(CURLINFO_NAMELOOKUP_TIME_T)
        metrics.timings.connect = end(CURLINFO_CONNECT_TIME_T)
        metrics.timings.secureConnect = end(CURLINFO_APPCONNECT_TIME_T)
        metrics.timings.sendStart = end(CURLINFO_PRETRANSFER_TIME_T)
        metrics.timings.firstByte = end(CURLINFO_STARTTRANSFER_TIME_T)
        metrics.timings.total = end(CURLINFO_TOTAL_TIME_T)
        metrics.remoteAddress = text(CURLINFO_PRIMARY_IP)
        metrics.remotePort = number(CURLINFO_PRIMARY_PORT)
        metrics.isConnectionReused = number(CURLINFO_NUM_CONNECTS) == 0
        metrics.wireBodySize = Int(offset(CURLINFO_SIZE_DOWNLOAD_T))
        return metrics
    }
}
