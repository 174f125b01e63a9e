import Synchronization

/// Adds a token to every request to one origin, and gets a new one when the server refuses it.
///
/// ```swift
/// let authorization = TokenAuthorization(for: try HTTPURL("https://api.example.com")) { next in
///     let login = try HTTPRequest.post("https://api.example.com/token", form: ["key": key])
///     let response = try await next(login).collect()
///     let token = try JSONValue(parsing: response.body)["token"]?.string
///     guard response.status == 200, let token else { throw LoginError(response.status) }
///     return token
/// }
/// let transport = CurlTransport().using([authorization])
/// ```
///
/// A response of 401 to a request that had the present token starts one refresh; all requests that
/// are refused or begun meanwhile wait for it, and are then sent, or sent again, once. A second 401
/// is a response like any other. When the refresh fails, or brings an empty token, those who waited
/// fail with its error, and the next request tries again. Cancelling one that waits does not cancel
/// the refresh, nor does its timeout end it.
///
/// Requests to another origin (scheme, host and port), such as where a redirect leads, and those
/// that have an `Authorization` of their own, pass as they are (RFC 9110, section 11.6.2). So does
/// a request that redirects have led to another origin and back: who sent it back may have chosen
/// what it asks for.
public final class TokenAuthorization: Middleware {
    private let origin: Origin
    private let scheme: String
    private let refresh: @Sendable (Middleware.Next) async throws -> String
    private let state: Mutex<State>

    private struct State {
        var token: String?
        var refreshing: Task<String, any Error>?
    }

    /// An authorization for the origin of an address.
    ///
    /// - Parameters:
    ///   - url: Any address of the origin.
    ///   - token: The token to begin with; without one, the first request waits for a refresh.
    ///   - scheme: What stands before the token; `Bearer` by default (RFC 6750, section 2.1).
    ///   - refresh: Gets a new token. What it is given sends a request past this middleware, through
    ///     those that follow. It runs on a task of its own, one at a time. It must not use the
    ///     transport that this middleware is part of: its request would wait for itself.
    public init(
        for url: HTTPURL, token: String? = nil, scheme: String = "Bearer",
        refresh: @escaping @Sendable (Middleware.Next) async throws -> String
    ) {
        origin = Origin(url)
        self.scheme = scheme
        self.refresh = refresh
        state = Mutex(State(token: token))
    }

    /// Sends the request with the token, and once more with a new one when it is refused.
    public func intercept(
        _ request: HTTPRequest, next: @escaping Next
    ) async throws -> IncomingResponse {
        guard Origin(request.url) == origin, !request.hasLeftOrigin,
            request.fields["Authorization"] == nil
        else { return try await next(request) }
        let token = try await token(insteadOf: nil, next)
        let response = try await next(authorized(request, token))
        guard response.head.status == 401 else { return response }
        return try await next(authorized(request, self.token(insteadOf: token, next)))
    }

    private func authorized(_ request: HTTPRequest, _ token: String) -> HTTPRequest {
        var request = request
        request.fields["Authorization"] = "\(scheme) \(token)"
        return request
    }

    /// The present token; a new one when there is none, or when it is the one that was refused.
    private func token(insteadOf refused: String?, _ next: @escaping Next) async throws -> String {
        let refreshing = state.withLock { state -> Task<String, any Error>? in
            if state.refreshing == nil, state.token == nil || state.token == refused {
                // Before the task is made, so that it cannot end before it is known.
                state.token = nil
                // Detached, because others may wait for what this request has begun.
                state.refreshing = Task.detached { try await self.renew(next) }
            }
            return state.refreshing
        }
        if let refreshing { return try await refreshing.value }
        guard let token = state.withLock({ $0.token }) else {
            return try await token(insteadOf: refused, next)
        }
        return token
    }

    private func renew(_ next: Next) async throws -> String {
        let result: Result<String, any Error>
        do {
            let token = try await refresh(next)
            guard !token.isEmpty else {
                throw TransportError(.other, "the refresh brought an empty token")
            }
            result = .success(token)
        } catch {
            result = .failure(error)
        }
        state.withLock { state in
            state.token = try? result.get()
            state.refreshing = nil
        }
        return try result.get()
    }
}
