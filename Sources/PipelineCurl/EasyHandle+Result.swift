internal import CLibcurl
import PipelineCore

extension EasyHandle {
    /// What the receiver is told of a transfer that ended with that code; reports the head first
    /// where that was put off.
    func result(
        _ code: CURLcode, of order: CurlExchange.Order
    ) -> Result<ExchangeMetrics, TransportError> {
        if let unexplained {
            return .failure(explain(unexplained, order))
        }
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
        metrics.decodedBodySize = decodedSize
        metrics.wireBodySize = Int(offset(CURLINFO_SIZE_DOWNLOAD_T))
        if applied.wantsCertificate { metrics.certificate = certificate }
        return metrics
    }

    /// The server's own certificate: the first of those it sent.
    private var certificate: Certificate? {
        certificateLines.first.flatMap(Certificate.init(libcurlLines:))
    }

    /// What libcurl tells of each certificate that the server sent.
    var certificateLines: [[String]] {
        var chain: UnsafeMutablePointer<curl_certinfo>?
        pipeline_curl_get_certificates(raw, &chain)
        guard let chain else { return [] }
        return (0..<Int(chain.pointee.num_of_certs)).map { index in
            var lines: [String] = []
            var next = chain.pointee.certinfo[index]
            while let line = next {
                lines.append(String(cString: line.pointee.data))
                next = line.pointee.next
            }
            return lines
        }
    }
}
