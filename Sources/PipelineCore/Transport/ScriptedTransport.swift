import Synchronization

/// A transport that answers from a script, for tests: no network, no threads, no waiting.
///
/// ```swift
/// let transport = ScriptedTransport { request in
///     request.url.target == "/login" ? .respond(status: 401) : .respond(body: "{}")
/// }
/// ```
///
/// One request can be made to go wrong, so that an app can see what its start-up does then:
///
/// ```swift
/// // The third request loses its connection; every other one is answered.
/// let transport = ScriptedTransport(breaking: [3: .drop]) { _ in .respond(body: "{}") }
/// ```
///
/// An answer is given before `start` returns, on the thread that started the exchange, unless it is
/// delayed. An exchange that is held waits until the test answers it, or until it is cancelled.
public final class ScriptedTransport: Transport {
    private let faults: [Int: Step]
    fileprivate let clock: any Clock<Duration>
    private let script: @Sendable (HTTPRequest) -> Step
    private let state = Mutex(State())

    private struct State {
        var requests: [HTTPRequest] = []
        var held: [HeldExchange] = []
        var waiters: [(isDue: @Sendable (State) -> Bool, waiters: WaitList)] = []

        /// Those whose wait is over.
        mutating func due() -> [WaitList] {
            guard !waiters.isEmpty else { return [] }
            let (due, others) = (
                waiters.filter { $0.isDue(self) }, waiters.filter { !$0.isDue(self) }
            )
            waiters = others
            return due.map(\.waiters)
        }
    }

    /// What to do with a request.
    public enum Step: Sendable {
        /// Answer with this response.
        case answer(HTTPResponse)
        /// Fail so.
        case fail(TransportError)
        /// Keep it waiting, for ``ScriptedTransport/held``.
        case hold
        /// Do that later, on a task of its own, unless the exchange is over by then.
        indirect case delay(Duration, Step)

        /// Fail as when the server closes the connection without an answer.
        public static let drop = Step.fail(
            TransportError(.connectionLost, "the server closed the connection without an answer"))

        /// Fail at once as when the request's time has run out.
        public static let timeOut = Step.fail(TransportError(.timedOut, "timed out"))

        /// An answer of this status, these fields and this text.
        public static func respond(
            status: Int = 200, fields: HTTPFields = [:], body: String = ""
        ) -> Step {
            .answer(
                HTTPResponse(
                    head: HTTPResponse.Head(status: status, fields: fields),
                    body: Array(body.utf8)))
        }
    }

    /// A transport that asks the script about each request.
    ///
    /// - Parameters:
    ///   - faults: What is done with the first request, the second and so on, from 1 on, instead of
    ///     what the script says.
    ///   - clock: What delays are measured with.
    ///   - script: Tells what is done with a request; called on the thread that starts it.
    public init(
        breaking faults: [Int: Step] = [:], clock: any Clock<Duration> = ContinuousClock(),
        _ script: @escaping @Sendable (HTTPRequest) -> Step
    ) {
        self.faults = faults
        self.clock = clock
        self.script = script
    }

    /// Every request so far, in the order of their starts.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// The exchanges that were held, in order, those that have ended included.
    public var held: [HeldExchange] { state.withLock { $0.held } }

    /// Waits until that many requests were started.
    ///
    /// - Throws: `CancellationError` when the waiting task is cancelled.
    public func waitForRequests(count: Int) async throws(CancellationError) {
        try await wait { $0.requests.count >= count }
    }

    /// Waits until that many exchanges are held, or have been.
    ///
    /// - Throws: `CancellationError` when the waiting task is cancelled.
    public func waitForHeld(count: Int) async throws(CancellationError) {
        try await wait { $0.held.count >= count }
    }

    private func wait(
        until isDue: @escaping @Sendable (State) -> Bool
    ) async throws(CancellationError) {
        let waiters = state.withLock { state -> WaitList? in
            if isDue(state) { return nil }
            let waiters = WaitList()
            state.waiters.append((isDue, waiters))
            return waiters
        }
        try await waiters?.wait()
    }

    /// Answers as the script says.
    public func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
        let scripted = script(request)
        let exchange = HeldExchange(request, receiver, of: self)
        let (step, due) = state.withLock { state in
            state.requests.append(request)
            let step = faults[state.requests.count] ?? scripted
            // Already here, so that whoever waits for the request finds it.
            if case .hold = step { state.held.append(exchange) }
            return (step, state.due())
        }
        for waiters in due { waiters.finish() }
        exchange.resume(with: step)
        return exchange
    }

    /// Keeps an exchange for the test, unless it has it.
    fileprivate func hold(_ exchange: HeldExchange) {
        let due = state.withLock { state -> [WaitList] in
            // Most likely the last one.
            guard !state.held.reversed().contains(where: { $0 === exchange }) else { return [] }
            state.held.append(exchange)
            return state.due()
        }
        for waiters in due { waiters.finish() }
    }
}

/// An exchange of a ``ScriptedTransport`` that waits for its answer.
public final class HeldExchange: Exchange {
    /// What was asked.
    public let request: HTTPRequest
    private let clock: any Clock<Duration>
    private let state: Mutex<State>

    private struct State {
        /// `nil` after the end.
        var receiver: (any ResponseReceiver)?
        /// Weak, as the transport has the exchanges that it holds.
        weak var transport: ScriptedTransport?
        var delays: [Task<Void, any Error>] = []
    }

    fileprivate init(
        _ request: HTTPRequest, _ receiver: any ResponseReceiver, of transport: ScriptedTransport
    ) {
        self.request = request
        clock = transport.clock
        state = Mutex(State(receiver: receiver, transport: transport))
    }

    /// Whether it was answered, failed or cancelled.
    public var isOver: Bool { state.withLock { $0.receiver == nil } }

    /// Has the exchange go on: it is answered, fails or waits again.
    ///
    /// Once it is over, nothing happens.
    public func resume(with step: ScriptedTransport.Step) {
        switch step {
        case .hold:
            state.withLock { $0.receiver == nil ? nil : $0.transport }?.hold(self)
        case .delay(let duration, let step):
            delay(step, by: duration)
        case .fail(let error):
            end()?.finish(.failure(error))
        case .answer(let response):
            guard let receiver = end() else { return }
            receiver.receiveHead(response.head)
            if !response.body.isEmpty, !receiver.receiveBody(response.body.span.bytes) {
                let error = TransportError(.refusedByReceiver, "the body was refused")
                return receiver.finish(.failure(error))
            }
            receiver.finish(.success(response.metrics))
        }
    }

    /// Fails the exchange as cancelled.
    public func cancel() {
        resume(with: .fail(TransportError(.cancelled, "cancelled")))
    }

    private func delay(_ step: ScriptedTransport.Step, by duration: Duration) {
        state.withLock { state in
            guard state.receiver != nil else { return }
            // To let time pass is what a delay is for; with a clock of its own, no test waits for it.
            let delay = Task { [clock] in
                try await clock.sleep(for: min(duration, .longestWait))
                resume(with: step)
            }
            state.delays.append(delay)
        }
    }

    /// Takes the receiver, which is told the end by whoever comes first.
    private func end() -> (any ResponseReceiver)? {
        let (receiver, delays) = state.withLock { state in
            let delays = state.delays
            state.delays = []
            return (state.receiver.take(), delays)
        }
        for delay in delays { delay.cancel() }
        return receiver
    }
}
