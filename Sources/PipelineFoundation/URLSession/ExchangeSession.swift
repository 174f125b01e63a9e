import Foundation
import PipelineCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `URLSession` and the exchanges that its tasks carry out.
final class ExchangeSession: Sendable {
    private let delegate: ExchangeDelegate
    private let session: URLSession
    private let cookies: HTTPCookieStorage?

    init(_ options: SessionOptions, cookies: HTTPCookieStorage?, queue: OperationQueue) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.httpCookieStorage = cookies
        configuration.httpCookieAcceptPolicy = .always
        // Set by `task`, together with those of the request, as there may be one line only.
        configuration.httpShouldSetCookies = false
        options.apply(to: configuration)
        self.cookies = cookies
        delegate = ExchangeDelegate(options)
        session = URLSession(
            configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    /// Lets go of the connections after the last of the exchanges under way.
    ///
    /// Here and not in the transport's own end: to make a task of a session that is invalid is a trap,
    /// and an exchange may have yet to make its own.
    deinit {
        session.finishTasksAndInvalidate()
    }

    /// A task that has not begun; the exchange is told of what happens to it from then on.
    func task(
        for request: HTTPRequest, body: UploadFile?
    ) throws(TransportError) -> ExchangeTask {
        var urlRequest = try URLRequest(request)
        urlRequest.setValue(cookieLine(for: request, urlRequest.url), forHTTPHeaderField: "Cookie")
        if case .bytes(let bytes) = request.body {
            urlRequest.httpBody = Data(bytes)
        }
        let task =
            body.map { session.uploadTask(with: urlRequest, fromFile: $0.url) }
            ?? session.dataTask(with: urlRequest)
        return ExchangeTask(task: task, delegate: delegate, body: body)
    }

    /// The jar's cookies before the request's own, in one line (RFC 6265, section 5.4).
    private func cookieLine(for request: HTTPRequest, _ url: URL?) -> String? {
        let stored = url.flatMap { cookies?.cookies(for: $0) } ?? []
        let jar = HTTPCookie.requestHeaderFields(with: stored)["Cookie"].map { [$0] } ?? []
        let pairs = (jar + request.fields.values(of: "Cookie")).filter { !$0.isEmpty }
        return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
    }
}

/// A task of a session and what it needs until its end.
struct ExchangeTask: Sendable {
    let task: URLSessionTask
    let delegate: ExchangeDelegate
    let body: UploadFile?
}
