/// Fetches what an address names, into memory or into a file.
///
/// ```swift
/// let transport = CachingTransport(CurlTransport(), cache: .memory(), user: nil)
/// let downloader = Downloader(transport: transport)
/// let image = try await downloader.download(try HTTPURL("https://example.org/a.png")).body
/// ```
///
/// A download succeeds with a status of 200 to 299 and a body that is whole. Redirects are followed;
/// nothing is sent twice. With a ``CachingTransport``, downloads of one address at the same time are
/// one exchange. It keeps no state of its own and may be used from any thread.
public struct Downloader: Sendable {
    private let transport: any Transport
    private let options: Options

    /// What holds for all downloads.
    public struct Options: Sendable, Hashable {
        /// How long a download of an address may take, from its dispatch to the last byte: 10
        /// minutes; `nil` for no limit.
        ///
        /// One of a request takes as long as ``HTTPRequest/timeout`` says.
        public var timeout: Duration? = .seconds(600)
        /// How many redirects are followed; 10.
        public var redirectLimit = 10
        /// The names of header fields that go to no other origin than the request's own, beside
        /// `Authorization`, `Cookie` and `Proxy-Authorization`: such as `X-Api-Key`; none by default.
        public var confidentialFields: [String] = []
        /// How many bytes a body in memory may have; 64 MiB.
        ///
        /// One in a file has no limit.
        public var bodyLimit = 64 << 20
        /// Whether a body without a byte is a failure, as it is for an image; `false`.
        public var refusesEmpty = false

        /// The options as they are when nothing is said.
        public init() {}
    }

    /// Where a body goes.
    public enum Destination: Sendable, Hashable {
        /// Into ``Download/body``.
        case memory
        /// Into the file at this path, in the place of one that is there.
        ///
        /// The file has its name only when it is whole: until then, and when the download fails,
        /// what was there stays. Its folder must exist.
        case file(String)
    }

    /// Hears how much of the body has come, in bytes, and how much will; `nil` when that is unknown.
    ///
    /// Called first with 0 when the head of the response has come, and last, before a download
    /// succeeds, with the size of the body. In between it is called after each hundredth of the
    /// whole, of what has come where the whole is unknown, but not for less than 64 KiB. The calls
    /// never overlap, never go back and never come after the end; they come on the transport's
    /// thread and should return soon.
    public typealias Progress = @Sendable (_ received: Int, _ expected: Int?) -> Void

    /// A downloader that sends its requests by a transport.
    public init(transport: any Transport, options: Options = Options()) {
        self.transport = transport
        self.options = options
    }

    /// Downloads what a request asks for.
    ///
    /// Cancelling the task ends the download at once: nothing is sent when it was cancelled before,
    /// and what has come is dropped when it is cancelled before it is delivered.
    ///
    /// - Throws: Why it failed, with ``DownloadError/Code/cancelled`` when the task was cancelled.
    public func download(
        _ request: HTTPRequest, to destination: Destination = .memory,
        progress: @escaping Progress = { _, _ in }
    ) async throws(DownloadError) -> Download {
        let execution = DownloadExecution(
            request, to: destination, transport: transport, options: options, progress: progress)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                execution.start { continuation.resume(returning: $0) }
            }
        } onCancel: {
            execution.cancel()
        }
        return try result.get()
    }

    /// Downloads what an address names.
    ///
    /// As ``download(_:to:progress:)-(HTTPRequest,_,_)`` with a GET, and with the time that
    /// ``Options/timeout`` gives.
    public func download(
        _ url: HTTPURL, to destination: Destination = .memory,
        progress: @escaping Progress = { _, _ in }
    ) async throws(DownloadError) -> Download {
        let request = HTTPRequest(url: url, timeout: options.timeout)
        return try await download(request, to: destination, progress: progress)
    }

    /// Begins a download and returns without waiting for it.
    ///
    /// The completion is called exactly once, on the transport's thread, or before this returns when
    /// nothing can be sent. The download goes on whether or not what is returned is kept.
    @discardableResult
    public func start(
        _ request: HTTPRequest, to destination: Destination = .memory,
        progress: @escaping Progress = { _, _ in },
        completion: @escaping @Sendable (Result<Download, DownloadError>) -> Void
    ) -> ActiveDownload {
        let execution = DownloadExecution(
            request, to: destination, transport: transport, options: options, progress: progress)
        execution.start(completion: completion)
        return ActiveDownload(execution)
    }
}

/// A download under way.
public struct ActiveDownload: Sendable {
    private let execution: DownloadExecution

    init(_ execution: DownloadExecution) {
        self.execution = execution
    }

    /// Ends the download at once, unless its outcome is decided already.
    ///
    /// May be called from any thread, any number of times; the completion is still called, with
    /// ``DownloadError/Code/cancelled``.
    public func cancel() {
        execution.cancel()
    }
}

/// What was downloaded.
public struct Download: Sendable {
    /// Where it came from, after all redirects.
    public let url: HTTPURL
    /// The response, with its body in memory or in ``HTTPResponse/savedBody``.
    public let response: HTTPResponse

    /// The content, when it is in memory; empty when it is in a file.
    public var body: [UInt8] { response.body }
}
