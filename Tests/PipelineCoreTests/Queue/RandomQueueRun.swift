import TestSupport
import Testing

@testable import PipelineCore

/// One random sequence of things that happen to a queue, checked against its invariants.
struct RandomQueueRun {
    private(set) var generator: SeededGenerator
    private var machine: QueueStateMachine<Int, Int>
    private let stopsOnFailure: Bool
    private var enqueued = 0
    private var lastStarted = 0
    private var inFlight: Set<Int> = []
    private var prerequisites: [Int: [Int]] = [:]
    private var claimed: Set<Int> = []
    private var aborted: [Int] = []
    private var ended: Set<Int> = []
    /// Nothing up to this element may start any more.
    private var barrier = 0
    private var isSuspended = false
    private var broken: String?

    init(generator: SeededGenerator) {
        var generator = generator
        stopsOnFailure = Int.random(in: 0..<4, using: &generator) > 0
        machine = QueueStateMachine(
            concurrency: Int.random(in: 1...3, using: &generator), stopsOnFailure: stopsOnFailure)
        self.generator = generator
    }

    mutating func play() -> String? {
        for _ in 0..<Int.random(in: 1...24, using: &generator) {
            happen()
            drain(atMost: Int.random(in: 0...4, using: &generator))
        }
        machine.resumed()
        isSuspended = false
        while broken == nil, !inFlight.isEmpty || !machine.isIdle {
            drain(atMost: .max)
            if let element = inFlight.first { answer(element, failing: false) }
        }
        let missing = enqueued - ended.count
        require(missing == 0, "\(missing) elements never ended")
        return broken
    }

    private mutating func happen() {
        switch Int.random(in: 0..<21, using: &generator) {
        case 0..<6: enqueue()
        case 6..<11:
            if let element = inFlight.sorted().randomElement(using: &generator) {
                answer(element, failing: false)
            }
        case 11..<13:
            if let element = inFlight.sorted().randomElement(using: &generator) {
                answer(element, failing: true)
            }
        case 20:
            // One that is about to succeed: nothing but its own answer ends it any more.
            if let element = inFlight.sorted().randomElement(using: &generator) {
                require(machine.claimed(element), "\(element) in flight could not be claimed")
                claimed.insert(element)
            }
        case 13:
            // A late answer to something that was aborted: invariant 4.
            if let element = aborted.randomElement(using: &generator) {
                let isGood = Bool.random(using: &generator)
                isGood ? machine.succeeded(element, element) : machine.failed(element, element)
            }
        case 14, 15:
            for _ in 0..<Int.random(in: 1...2, using: &generator) { machine.suspended() }
            isSuspended = true
        case 16, 17:
            for _ in 0..<Int.random(in: 1...2, using: &generator) { machine.resumed() }
            isSuspended = false
        case 18:
            let isReset = Bool.random(using: &generator)
            for _ in 0..<Int.random(in: 1...2, using: &generator) {
                isReset ? machine.reset() : machine.cancelled(.requested)
            }
            if isReset { isSuspended = false }
            stop()
        default:
            guard enqueued > 0 else { return }
            let element = Int.random(in: 1...enqueued, using: &generator)
            machine.cancelled(element, .requested)
            if !claimed.contains(element), inFlight.remove(element) != nil {
                aborted.append(element)
            }
        }
    }

    private mutating func enqueue() {
        let count = enqueued == 0 ? 0 : Int.random(in: 0...2, using: &generator)
        let before = (0..<count).map { _ in Int.random(in: 1...enqueued, using: &generator) }
        enqueued += 1
        prerequisites[enqueued] = before
        machine.enqueued(enqueued, after: before)
    }

    private mutating func answer(_ element: Int, failing: Bool) {
        inFlight.remove(element)
        if failing {
            machine.failed(element, element)
            if stopsOnFailure { stop() }
        } else {
            machine.succeeded(element, element)
        }
        if Bool.random(using: &generator) { aborted.append(element) }
    }

    /// Everything so far was cancelled.
    private mutating func stop() {
        barrier = enqueued
        aborted.append(contentsOf: inFlight.subtracting(claimed).sorted())
        inFlight.formIntersection(claimed)
    }

    private mutating func drain(atMost limit: Int) {
        var left = limit
        while left > 0, broken == nil, let action = machine.next() {
            left -= 1
            check(action)
        }
    }

    private mutating func check(_ action: QueueStateMachine<Int, Int>.Action) {
        switch action {
        case .start(let element):
            require(element > lastStarted, "invariant 1: \(element) out of order")
            require(element > barrier, "invariant 3: \(element) started after a stop")
            require(!isSuspended, "invariant 5: \(element) started while suspended")
            require(!ended.contains(element), "invariant 2: \(element) started after its end")
            let open = prerequisites[element, default: []].filter(inFlight.contains)
            require(open.isEmpty, "\(element) started before the end of \(open)")
            lastStarted = element
            inFlight.insert(element)
            require(inFlight.count <= machine.concurrency, "invariant 1: too many in flight")
        case .abort(let element):
            require(!claimed.contains(element), "aborts \(element), which was claimed")
            require(!inFlight.contains(element), "invariant 4: aborts one that goes on")
        case .end(let element, let ending):
            let isNew = ended.insert(element).inserted
            require(isNew, "invariant 2: \(element) ended twice")
            if case .succeeded(let answer) = ending {
                require(answer == element, "an answer went astray")
            }
            // Invariant 6: a completion adds to the queue.
            if Int.random(in: 0..<4, using: &generator) == 0, enqueued < 64 { enqueue() }
        case .idle:
            require(ended.count == enqueued && inFlight.isEmpty, "idle with something left")
        }
    }

    private mutating func require(_ condition: Bool, _ message: @autoclosure () -> String) {
        guard !condition, broken == nil else { return }
        broken = message()
    }
}
