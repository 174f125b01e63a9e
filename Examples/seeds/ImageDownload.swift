import Foundation
import PipelineCore
import PipelineFoundation
import Synchronization

// snippet: image-download-operation
/// An operation that downloads an image and delivers it on the main actor.
///
/// Status and data are checked and cancellation is heeded by the downloader, up to the delivery.
final class ImageDownloadOperation: AsynchronousOperation, @unchecked Sendable {
    private let url: HTTPURL
    private let downloader: Downloader
    private let deliver: @MainActor @Sendable (Result<Download, DownloadError>) -> Void
    private let download = Mutex<ActiveDownload?>(nil)

    init(
        _ url: HTTPURL, _ downloader: Downloader,
        deliver: @escaping @MainActor @Sendable (Result<Download, DownloadError>) -> Void
    ) {
        self.url = url
        self.downloader = downloader
        self.deliver = deliver
    }

    override func main() {
        let download = downloader.start(HTTPRequest(url: url)) { [self] result in
            Task { @MainActor in
                deliver(result)
                finish()
            }
        }
        self.download.withLock { $0 = download }
        if isCancelled { download.cancel() }  // it may have happened since the start
    }

    override func cancel() {
        super.cancel()
        download.withLock { $0 }?.cancel()
    }
}
// end

// snippet: image-download
/// Downloads an image twice, once from the server and once from the cache, and one that is missing.
@MainActor
func imageDownload(_ address: String, _ transport: any Transport) async throws {
    var options = Downloader.Options()
    options.refusesEmpty = true
    let downloader = Downloader(
        transport: CachingTransport(transport, cache: .memory(), user: nil), options: options)
    let queue = OperationQueue()
    for name in ["image.png", "image.png", "missing.png"] {
        let url = try HTTPURL("\(address)/\(name)")
        await withCheckedContinuation { delivered in
            queue.addOperation(
                ImageDownloadOperation(url, downloader) { result in
                    switch result {
                    case .success(let download):
                        let use = download.response.metrics.cacheUse?.rawValue ?? "not cached"
                        print("\(name): \(download.body.count) bytes, \(use)")
                    case .failure(let error):
                        print("\(name): \(error)")
                    }
                    delivered.resume()
                })
        }
    }
}
// end
