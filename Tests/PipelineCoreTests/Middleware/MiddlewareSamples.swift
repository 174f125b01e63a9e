import PipelineCore
import TestSupport

/// Adds a header, and notes what it sees.
struct Note: Middleware {
    let name: String
    let log: Locked<[String]>

    func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
        log.change { $0.append("\(name) sends") }
        var request = request
        request.fields.append(HTTPField(name: "Via", value: name))
        let response = try await next(request)
        log.change { $0.append("\(name) has \(response.head.status)") }
        return response
    }
}

/// Waits before it sends on what came.
struct Hesitating: Middleware {
    let yields: Int

    func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
        let response = try await next(request)
        for _ in 0..<yields { await Task.yield() }
        return response
    }
}

/// Sends its request again, whatever came.
struct Twice: Middleware {
    func intercept(_ request: HTTPRequest, next: Next) async throws -> IncomingResponse {
        _ = try? await next(request)
        return try await next(request)
    }
}
