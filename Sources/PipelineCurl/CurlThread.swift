import PipelineCore
import Synchronization

/// The part of a transport that any thread may use: the inbox of its loop, and the loop's thread.
final class CurlThread: Sendable {
    /// When the thread ends.
    enum Ending {
        /// After the exchanges under way.
        case whenIdle
        /// At once: what is under way is cancelled.
        case now
    }

    /// What the loop has not looked at yet.
    struct Inbox {
        var orders: [CurlExchange.Order] = []
        var hasCancellation = false
        var ending: Ending?
    }

    private struct State {
        var inbox = Inbox()
        /// Whether the loop was woken and has not emptied the inbox since.
        var isWoken = false
        /// There from the first exchange until the loop has ended.
        var multi: MultiHandle?
        /// There until somebody has joined or detached it.
        var thread: PosixThread?
    }

    private let options: CurlTransport.Options
    private let state = Mutex(State())
    /// Held while somebody waits for the end of the thread, so that all others wait, too.
    private let joining = Mutex(())
    /// The identity of the loop's thread, 0 while there is none.
    private let identity = Atomic<UInt>(0)
    /// Touched by the loop's thread alone: every use is behind `isCurrent`.
    nonisolated(unsafe) private var loop: CurlLoop?

    init(options: CurlTransport.Options) {
        self.options = options
    }

    private var isCurrent: Bool {
        identity.load(ordering: .relaxed) == PosixThread.currentIdentity
    }

    /// Has the loop carry out an exchange, sooner or later.
    func start(_ order: CurlExchange.Order) {
        if isCurrent, let loop {
            loop.enqueue(order)
            return
        }
        let failure = state.withLock { state -> TransportError? in
            if state.inbox.ending != nil {
                return TransportError(
                    .cancelled, "the transport was shut down", isBeforeSending: true)
            }
            guard state.multi != nil || launch(&state) else {
                return TransportError(
                    .other, "no thread could be started for transfers", isBeforeSending: true)
            }
            state.inbox.orders.append(order)
            Self.wake(&state)
            return nil
        }
        if let failure {
            order.receiver.finish(.failure(failure))
        }
    }

    /// Has the loop end the exchanges that are marked as cancelled.
    func noteCancellation() {
        if isCurrent, let loop {
            loop.noteCancellation()
            return
        }
        state.withLock { state in
            state.inbox.hasCancellation = true
            Self.wake(&state)
        }
    }

    /// Has the loop end; waits for it after `now`, unless the loop's own thread asks.
    func end(_ ending: Ending) {
        state.withLock { state in
            if state.inbox.ending != .now {
                state.inbox.ending = ending
            }
            Self.wake(&state)
        }
        switch ending {
        case .whenIdle: takeThread()?.detach()
        // The thread cannot wait for itself: another call may, or the end of the transport.
        case .now where isCurrent: break
        case .now: joining.withLock { _ in takeThread()?.join() }
        }
    }

    private func takeThread() -> PosixThread? {
        state.withLock { state in
            defer { state.thread = nil }
            return state.thread
        }
    }

    /// What came since the last call; `nil` when the loop shall end, which is then final.
    func takeInbox(isIdle: Bool) -> Inbox? {
        state.withLock { state in
            state.isWoken = false
            if isIdle, state.inbox.orders.isEmpty, state.inbox.ending != nil {
                state.multi = nil
                return nil
            }
            let inbox = state.inbox
            // `ending` stays: nothing can be started any more.
            state.inbox.orders = []
            state.inbox.hasCancellation = false
            return inbox
        }
    }

    /// Closes all connections, forgets all names, and has a handle take the place of the loop's.
    ///
    /// Called by the loop's thread while nothing is under way; `nil` without memory.
    func replaceMulti() -> MultiHandle? {
        state.withLock { state in
            guard let multi = MultiHandle() else { return nil }
            state.multi?.cleanUp()
            state.multi = multi
            if state.isWoken { multi.wakeUp() }
            return multi
        }
    }

    private func launch(_ state: inout State) -> Bool {
        guard let multi = MultiHandle() else { return false }
        state.thread = PosixThread { [self] in run(multi) }
        guard state.thread != nil else {
            multi.cleanUp()
            return false
        }
        state.multi = multi
        return true
    }

    private func run(_ multi: MultiHandle) {
        let loop = CurlLoop(multi: multi, thread: self, options: options)
        self.loop = loop
        identity.store(PosixThread.currentIdentity, ordering: .relaxed)
        loop.run()
        identity.store(0, ordering: .relaxed)
        self.loop = nil
    }

    /// Called with the lock held, which keeps the handle from being cleaned up meanwhile.
    private static func wake(_ state: inout State) {
        guard !state.isWoken, let multi = state.multi else { return }
        state.isWoken = true
        multi.wakeUp()
    }
}
