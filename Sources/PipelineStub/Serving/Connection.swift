/// What happens on one connection, without its socket: bytes and times in, actions out.
///
/// Requests are answered one after the other, so pipelined ones wait for those before them
/// (RFC 9112, section 9.3.2).
struct Connection {
    /// The bytes to be sent next.
    private(set) var unsent: ArraySlice<UInt8> = []
    private var parser = RequestParser()
    private var phase = Phase.reading
    private var hasInputEnded = false
    private var hasServed = false

    private enum Phase {
        case reading
        /// The answer is held back.
        case waiting(answer: [UInt8], closes: Bool, until: ContinuousClock.Instant)
        case sending(closes: Bool)
        /// All is said. What the peer still sends is dropped until it closes: closing at once would
        /// reset the connection, and the peer could lose the answer (RFC 9112, section 9.6).
        case draining(until: ContinuousClock.Instant)
    }

    /// Whether the peer is yet to send a request, or the rest of one.
    var isReading: Bool {
        if case .reading = phase { true } else { false }
    }

    /// Whether bytes of the peer are welcome now.
    ///
    /// Also while an answer is held back, because only reading tells that the peer has closed. A
    /// peer that sends ever more without taking its answers is left waiting.
    var wantsInput: Bool {
        !hasInputEnded && parser.unparsedCount < RequestParser.headLimit
    }

    /// When ``next(_:_:)`` must be called though nothing came.
    var deadline: ContinuousClock.Instant? {
        switch phase {
        case .waiting(_, _, let instant), .draining(let instant): instant
        case .reading, .sending: nil
        }
    }

    /// The peer has sent something.
    mutating func received(_ bytes: ArraySlice<UInt8>) {
        if case .draining = phase { return }
        parser.append(bytes)
    }

    /// The peer will send nothing more.
    mutating func inputEnded() {
        hasInputEnded = true
    }

    /// So many of the unsent bytes are on their way.
    mutating func sent(_ count: Int) {
        unsent = count < unsent.count ? unsent.dropFirst(count) : []
    }

    /// What to do now.
    enum Action {
        /// Send of ``Connection/unsent`` what can be sent, then ask again unless nothing could.
        case send
        /// Shut down the sending side, then ask again.
        case endSending
        /// Do nothing until something happens or the deadline has come.
        case wait
        case close
    }

    /// Moves on as far as possible.
    mutating func next(_ now: ContinuousClock.Instant, _ responder: Responder) -> Action {
        if !unsent.isEmpty { return .send }
        switch phase {
        case .reading:
            return read(now, responder)
        case .waiting(let answer, let closes, let instant):
            // A peer that closed, or only its sending side, is not worth waiting for.
            if hasInputEnded { return .close }
            if now < instant { return .wait }
            return send(answer, closes: closes)
        case .sending(closes: true):
            phase = .draining(until: now + .seconds(1))
            parser = RequestParser()
            return .endSending
        case .sending(closes: false):
            phase = .reading
            return read(now, responder)
        case .draining(let instant):
            return hasInputEnded || now >= instant ? .close : .wait
        }
    }

    private mutating func read(
        _ now: ContinuousClock.Instant, _ responder: Responder
    ) -> Action {
        switch parser.next() {
        case nil:
            return hasInputEnded ? .close : .wait
        case .continueExpected:
            unsent = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)[...]
            return .send
        case .refused(let refusal):
            let answer = StubAnswer(refusal)
            return send(answer.wire(toHead: false, closesConnection: true), closes: true)
        case .received(let request, let closes):
            var (answer, fault) = responder.respond(to: request, isFirst: !hasServed)
            hasServed = true
            var closes = closes
            switch fault {
            case .status(let status): answer = StubAnswer(status: status)
            case .delay(let delay): answer.delay += delay
            case .drop: return .close
            case .cutShort: closes = true
            case nil: break
            }
            let wire = answer.wire(
                toHead: request.method == "HEAD", closesConnection: closes,
                missing: fault == .cutShort ? 1 : 0)
            guard answer.delay > .zero else { return send(wire, closes: closes) }
            phase = .waiting(answer: wire, closes: closes, until: now + answer.delay)
            return hasInputEnded ? .close : .wait
        }
    }

    private mutating func send(_ answer: [UInt8], closes: Bool) -> Action {
        unsent = answer[...]
        phase = .sending(closes: closes)
        return .send
    }
}
