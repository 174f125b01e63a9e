@testable import PipelineCore

/// 1 October 2026, 00:00:00 UTC: when the responses of these tests came.
let cacheEpoch = 1_790_812_800

/// What the tests' `Date` fields say for a moment of that day.
func date(_ secondsAfterEpoch: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let days = (secondsAfterEpoch >= 0 ? secondsAfterEpoch : secondsAfterEpoch - 86_399) / 86_400
    let seconds = secondsAfterEpoch - days * 86_400
    let time = "\(two(seconds / 3_600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    return days >= 0
        ? "Thu, \(two(1 + days)) Oct 2026 \(time) GMT"
        : "Thu, \(two(31 + days)) Sep 2026 \(time) GMT"
}

/// A response as stored that came at the epoch at once.
func stored(
    status: Int = 200, _ fields: HTTPFields, requestedAt: Int = cacheEpoch,
    receivedAt: Int = cacheEpoch
) -> CachedHead {
    CachedHead(
        HTTPResponse.Head(status: status, fields: fields), requestedAt: requestedAt,
        receivedAt: receivedAt)
}

/// A request to one address.
func get(
    _ target: String = "/", method: String = "GET", fields: HTTPFields = [:]
) throws -> HTTPRequest {
    HTTPRequest(method: method, url: try HTTPURL("http://example.org\(target)"), fields: fields)
}

extension ResponseCache {
    /// Stores a response to a request of nobody in particular.
    func store(_ body: [UInt8], _ fields: HTTPFields = [:], for request: HTTPRequest) {
        guard let writer = writer(for: request, user: "", stored(fields)) else { return }
        // In two parts, neither of them a multiple of anything.
        let middle = min(body.count, 13)
        _ = writer.append(Array(body[..<middle]).span.bytes)
        _ = writer.append(Array(body[middle...]).span.bytes)
        commit(writer, for: request.url, since: generation(of: request.url))
    }

    /// The body that is stored for a request; `nil` for none.
    func body(for request: HTTPRequest, user: String = "") -> [UInt8]? {
        guard let response = response(for: request, user: user) else { return nil }
        var body: [UInt8] = []
        while body.count < response.body.size, let part = response.body.part(at: body.count) {
            body += part
        }
        return body
    }
}
