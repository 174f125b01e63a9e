internal import CLibcurl
import PipelineCore

/// Carries out exchanges on one thread: everything here happens on it.
///
/// Receivers are called from `run` only, never from `enqueue` or `noteCancellation`, which they may
/// call. libcurl forbids to add or remove a transfer while it calls back, so both only take a note.
final class CurlLoop {
    private var multi: MultiHandle
    /// The addresses of names that the multi handle was told, and may have used for connections.
    private var resolutions: [String] = []
    private unowned let thread: CurlThread
    private let options: CurlTransport.Options
    private let cookies = CookieJar()

    /// Not begun yet.
    private var orders: [CurlExchange.Order] = []
    /// Whether the first of them waits for the end of those that are running.
    private var isHeldBack = false
    private var running: [EasyHandle] = []
    /// Handles between two transfers, with the options of their last one.
    private var idle: [EasyHandle] = []
    private var hasCancellation = false

    /// More handles than this are not kept for later.
    private static let idleLimit = 16

    init(multi: MultiHandle, thread: CurlThread, options: CurlTransport.Options) {
        self.multi = multi
        self.thread = thread
        self.options = options
    }

    func enqueue(_ order: CurlExchange.Order) {
        orders.append(order)
    }

    func noteCancellation() {
        hasCancellation = true
    }

    func run() {
        while let inbox = thread.takeInbox(isIdle: orders.isEmpty && running.isEmpty) {
            orders.append(contentsOf: inbox.orders)
            if inbox.ending == .now {
                for order in orders { order.exchange.cancel() }
                for handle in running { handle.order?.exchange.cancel() }
            }
            beginOrders()
            if hasCancellation || inbox.hasCancellation {
                endCancelled()
            }
            var code = multi.perform()
            finishTransfers()
            let isOver = inbox.ending != nil && running.isEmpty
            let isWaiting = isHeldBack && !running.isEmpty
            if code == CURLM_OK, orders.isEmpty || isWaiting, !hasCancellation, !isOver {
                code = multi.wait()
            }
            if code != CURLM_OK {
                endAll(String(cString: curl_multi_strerror(code)))
            }
        }
        idle = []
        multi.cleanUp()
    }

    private func beginOrders() {
        // What a receiver starts meanwhile has its turn in the next round.
        let taken = orders
        orders = []
        isHeldBack = false
        for (index, order) in taken.enumerated() {
            let options = order.request.sharedConnection
            if options.value.resolutions != resolutions {
                guard running.isEmpty else {
                    orders.insert(contentsOf: taken[index...], at: 0)
                    isHeldBack = true
                    return
                }
                change(options.value.resolutions)
            }
            begin(order)
        }
    }

    /// Has names get other addresses.
    ///
    /// What libcurl has been told of names, or has connected to by them, holds for every transfer
    /// of a multi handle: so there has to be another one.
    private func change(_ resolutions: [String]) {
        guard let multi = thread.replaceMulti() else { return }
        self.multi = multi
        self.resolutions = resolutions
        idle = []
    }

    private func begin(_ order: CurlExchange.Order) {
        guard !order.exchange.isCancelled else {
            order.receiver.finish(.failure(.cancelled(isBeforeSending: true)))
            return
        }
        guard let handle = takeHandle(for: order.request.sharedConnection) else {
            order.receiver.finish(.failure(.noMemory))
            return
        }
        do throws(TransportError) {
            try handle.prepare(order)
        } catch {
            keep(handle)
            order.receiver.finish(.failure(error))
            return
        }
        guard multi.add(handle) == CURLM_OK else {
            handle.release()
            order.receiver.finish(.failure(.noMemory))
            return
        }
        running.append(handle)
    }

    private func finishTransfers() {
        while let (handle, code) = multi.nextResult() {
            guard let order = handle.order else {
                preconditionFailure("a transfer that is under way has an order")
            }
            let result = handle.result(code, of: order)
            if case .failure(let error) = result, probe(for: handle, code, error) { continue }
            retire(handle)
            order.receiver.finish(result)
        }
    }

    /// Has another handle look at the certificate that was not trusted, before that is reported.
    private func probe(for handle: EasyHandle, _ code: CURLcode, _ error: TransportError) -> Bool {
        guard handle.canExplain(code), let probe = EasyHandle(options: options, cookies: cookies),
            probe.prepareProbe(for: handle, error), multi.add(probe) == CURLM_OK
        else { return false }
        retire(handle)
        running.append(probe)
        return true
    }

    private func endCancelled() {
        hasCancellation = false
        if isHeldBack { beginCancelled() }
        for handle in running {
            guard let order = handle.order, order.exchange.isCancelled else { continue }
            // Reported first: to remove a transfer whose name is being looked up can take long in
            // some versions of libcurl.
            handle.order = nil
            order.receiver.finish(
                .failure(.cancelled(isBeforeSending: handle.isBeforeSending)))
            retire(handle)
        }
    }

    /// Ends those that were cancelled before their turn came.
    private func beginCancelled() {
        let cancelled = orders.filter(\.exchange.isCancelled)
        orders.removeAll(where: \.exchange.isCancelled)
        for order in cancelled { begin(order) }
    }

    private func endAll(_ reason: String) {
        for handle in running {
            let order = handle.order
            let error = TransportError(
                .other, "libcurl cannot go on: \(reason)",
                isBeforeSending: handle.isBeforeSending)
            retire(handle)
            order?.receiver.finish(.failure(error))
        }
    }

    private func retire(_ handle: EasyHandle) {
        multi.remove(handle)
        running.removeAll { $0 === handle }
        handle.release()
        keep(handle)
    }

    private func keep(_ handle: EasyHandle) {
        guard handle.isUsable, handle.unexplained == nil else { return }
        idle.append(handle)
        if idle.count > Self.idleLimit { idle.removeFirst() }
    }

    /// A handle that makes its connections in the same way, or a new one.
    private func takeHandle(for connection: Shared<ConnectionOptions>) -> EasyHandle? {
        if let index = idle.lastIndex(where: { $0.applied.connection == connection }) {
            return idle.remove(at: index)
        }
        return EasyHandle(options: options, cookies: cookies)
    }
}
