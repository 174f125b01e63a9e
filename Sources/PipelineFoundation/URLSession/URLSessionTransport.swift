import Foundation
public import PipelineCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport over `URLSession`, for apps.
///
/// ```swift
/// let pipeline = try Pipeline(contentsOf: url)
/// let run = try pipeline.start(transport: URLSessionTransport())
/// ```
///
/// A transport has its own connections and its own cookies, in memory: one jar for each transport,
/// and none is shared with the app. When it is dropped, exchanges under way go on to their end.
/// Nothing is cached, no credential comes from a keychain, and no redirect is followed: that is the
/// engine's decision. Where a request names cookies itself, they go out after those of the jar, in
/// the same line.
///
/// `URLSession` says less than a pipeline can ask for. What would change the meaning of a request is
/// refused with `TransportError.Code.invalidRequest` before anything is sent, by its name: the
/// body of a GET, a Unix socket, addresses and other places for names, a version of HTTP, a kind of
/// addresses, exceptions and credentials of a proxy, a client's certificate in PEM; on Linux also
/// all that is said of TLS and of proxies. What only describes is left out: `ExchangeMetrics`
/// tells no certificate, `HTTPResponse.Head.version` is empty, repeated fields come as one line
/// (`HTTPResponse.Head.fields` has `Set-Cookie` apart again), and fields are sent in any order.
/// `HTTPRequest.connectTimeout` is not kept, because nothing tells when a connection stands;
/// `HTTPRequest.timeout` is.
///
/// On Apple platforms the system's settings take the place of the environment's proxies, and App
/// Transport Security holds: plain `http` needs an exception in the app's `Info.plist`. Foundation
/// sends an idempotent request (RFC 9110, section 9.2.2) once more when a kept-alive connection
/// turns out to be dead; `TransportError.isBeforeSending` is therefore `true` only when no
/// connection was made at all, or the task had not begun.
public final class URLSessionTransport: Transport {
    private let queue = OperationQueue()
    private let cookies: HTTPCookieStorage?
    private let sessions = Mutex<[SessionOptions: ExchangeSession]>([:])

    /// A transport that has not connected to anything yet.
    public init() {
        // All calls of receivers come from here, so they never overlap.
        queue.maxConcurrentOperationCount = 1
        queue.name = "URLSessionTransport"
        // On Linux Foundation may have the queue wait: not for a thread of Swift's own pool then,
        // which has the default quality.
        queue.qualityOfService = .userInitiated
        // Each ephemeral configuration has a jar of its own; all sessions share this one.
        cookies = URLSessionConfiguration.ephemeral.httpCookieStorage
    }

    /// Starts one exchange and returns without waiting for it.
    ///
    /// May be called from any thread. The receiver is called on an `OperationQueue` of the
    /// transport's own, never from inside this call nor from inside `Exchange.cancel()`. A request
    /// that cannot be sent fails through its receiver, with
    /// `TransportError.Code.invalidRequest`.
    public func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
        let exchange = URLSessionExchange(request, receiver: receiver, queue: queue)
        do throws(TransportError) {
            try request.checkSendableByURLSession()
            let options = try SessionOptions(request.connection)
            let session =
                SessionOptions.needsOwnSession(request)
                ? ExchangeSession(options, cookies: cookies, queue: queue) : session(for: options)
            let pieces: PieceList? =
                if case .pieces(let pieces) = request.body { try PieceList(pieces) } else { nil }
            exchange.begin(in: session, sending: pieces)
        } catch {
            exchange.fail(error)
        }
        return exchange
    }

    /// The session for exchanges with these options: they hold for all connections of a session.
    private func session(for options: SessionOptions) -> ExchangeSession {
        sessions.withLock { sessions in
            if let session = sessions[options] { return session }
            let session = ExchangeSession(options, cookies: cookies, queue: queue)
            sessions[options] = session
            return session
        }
    }
}
