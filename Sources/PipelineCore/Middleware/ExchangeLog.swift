/// Writes a line for each exchange through a closure, without secrets.
///
/// ```swift
/// let log = ExchangeLog(hiding: [apiKey]) { logger.info("\($0)") }
/// let transport = CurlTransport().using([log])
/// ```
///
/// Lines look like `GET https://example.com/items?page=***: 200, 1024 bytes, 35 ms` and
/// `GET https://example.com/items: timed out after 2 s`. There are no header fields and no bodies
/// in them, the values of queries are left out, and so is what is to be hidden, wherever it turns
/// up and however it is encoded.
public struct ExchangeLog: Middleware {
    private let redactor = Redactor()
    private let write: @Sendable (String) -> Void

    /// A log that calls a closure with each line, on whichever thread brought the news.
    ///
    /// - Parameters:
    ///   - secrets: Texts that no line may hold; those of less than four bytes are ignored.
    ///   - write: Takes a line, without a line break; it should return soon.
    public init(hiding secrets: [String] = [], write: @escaping @Sendable (String) -> Void) {
        self.write = write
        for secret in secrets { _ = redactor.add(secret) }
    }

    /// Sends the request on, and writes a line when its response has come whole or was cut off.
    public func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
        let start = ContinuousClock.now
        let subject = "\(request.method) \(Self.withoutQueryValues(request.url.text))"
        do {
            let response = try await next(request)
            let status = response.head.status
            response.onEnd { [self] result in
                switch result {
                case .success(let metrics):
                    let time = Self.text(start.duration(to: .now))
                    log("\(subject): \(status), \(metrics.decodedBodySize) bytes, \(time)")
                case .failure(let error): log("\(subject): \(status), then \(error.message)")
                }
            }
            return response
        } catch {
            log("\(subject): \(error.message)")
            throw error
        }
    }

    private func log(_ line: String) {
        write(redactor.redact(line))
    }

    private static func text(_ duration: Duration) -> String {
        "\(Int(duration / .milliseconds(1))) ms"
    }

    /// The address with `***` for each value of its query; all of a query without names.
    private static func withoutQueryValues(_ url: String) -> String {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return url }
        let pairs = parts[1].split(separator: "&", omittingEmptySubsequences: false).map { pair in
            pair.firstIndex(of: "=").map { "\(pair[..<$0])=***" } ?? "***"
        }
        return "\(parts[0])?\(pairs.joined(separator: "&"))"
    }
}
