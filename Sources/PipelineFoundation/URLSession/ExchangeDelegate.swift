import Foundation
import PipelineCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Hands what happens to the tasks of one session on to their exchanges.
///
/// A task whose exchange is over is not in the table any more: whatever still comes of it, be it
/// after a cancel, has nobody to go to and is dropped.
final class ExchangeDelegate: NSObject, Sendable {
    private let exchanges = Mutex<[Int: URLSessionExchange]>([:])
    private let options: SessionOptions

    init(_ options: SessionOptions) {
        self.options = options
    }

    func add(_ exchange: URLSessionExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    func remove(_ task: URLSessionTask) {
        _ = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    }

    private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }
}

extension ExchangeDelegate: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let wantsMore = exchange(of: dataTask)?.receiveHead(response) ?? false
        completionHandler(wantsMore ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receiveBody(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.noteSent(Int(totalBytesSent))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        switch challenge.protectionSpace.authenticationMethod {
        #if canImport(Security)
            case NSURLAuthenticationMethodServerTrust:
                let answer = options.answer(to: challenge)
                if let refusal = answer.refusal {
                    exchange(of: task)?.noteRefusedTrust(refusal)
                }
                completionHandler(answer.disposition, answer.credential)
            case NSURLAuthenticationMethodClientCertificate:
                completionHandler(.performDefaultHandling, nil)
        #endif
        default:
            // Credentials are the engine's: the 401 or 407 itself is the answer.
            completionHandler(.rejectProtectionSpace, nil)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        exchange(of: task)?.note(metrics)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        exchange(of: task)?.complete(error)
    }
}
