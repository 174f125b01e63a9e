import TestSupport
import Testing

@testable import PipelineCore

@Suite("The queue's rules, without threads")
struct QueueStateMachineTests {
    private typealias Machine = QueueStateMachine<Int, String>

    /// What the machine asks for until it has nothing more to ask, in short words.
    private func actions(_ machine: inout Machine) -> [String] {
        var result: [String] = []
        while let action = machine.next() {
            switch action {
            case .start(let element): result.append("start \(element)")
            case .abort(let element): result.append("abort \(element)")
            case .end(let element, .succeeded(let answer)):
                result.append("ok \(element) \(answer)")
            case .end(let element, .failed(let answer)):
                result.append("failed \(element) \(answer)")
            case .end(let element, .aborted(let reason, let culprit)):
                result.append("aborted \(element) \(reason) \(culprit ?? 0)")
            case .end(let element, .cancelled(let reason, let culprit)):
                result.append("cancelled \(element) \(reason) \(culprit ?? 0)")
            case .idle: result.append("idle")
            }
        }
        return result
    }

    @Test func `starts one at a time, in order, each on the success of the one before`() {
        var machine = Machine()
        for element in 1...3 { machine.enqueued(element) }
        #expect(actions(&machine) == ["start 1"])
        machine.succeeded(1, "a")
        #expect(actions(&machine) == ["ok 1 a", "start 2"])
        machine.succeeded(2, "b")
        #expect(actions(&machine) == ["ok 2 b", "start 3"])
        machine.succeeded(3, "c")
        #expect(actions(&machine) == ["ok 3 c", "idle"])
    }

    @Test func `a failure cancels what is left and names the culprit`() {
        var machine = Machine()
        for element in 1...3 { machine.enqueued(element) }
        _ = actions(&machine)
        machine.failed(1, "no")
        #expect(
            actions(&machine)
                == ["failed 1 no", "cancelled 2 failure 1", "cancelled 3 failure 1", "idle"])
        machine.enqueued(4)
        #expect(actions(&machine) == ["start 4"], "the queue can be used again")
    }

    @Test func `a failure aborts the others in flight before anybody is told`() {
        var machine = Machine(concurrency: 2)
        for element in 1...3 { machine.enqueued(element) }
        #expect(actions(&machine) == ["start 1", "start 2"])
        machine.failed(2, "no")
        #expect(
            actions(&machine) == [
                "abort 1", "failed 2 no", "aborted 1 failure 2", "cancelled 3 failure 2", "idle",
            ])
        machine.succeeded(1, "late")
        #expect(actions(&machine).isEmpty, "a late answer changes nothing")
    }

    @Test func `goes on after a failure when it is told to`() {
        var machine = Machine(stopsOnFailure: false)
        for element in 1...2 { machine.enqueued(element) }
        _ = actions(&machine)
        machine.failed(1, "no")
        #expect(actions(&machine) == ["failed 1 no", "start 2"])
    }

    @Test func `a suspend between an end and the next start holds the start back`() {
        var machine = Machine()
        for element in 1...2 { machine.enqueued(element) }
        _ = actions(&machine)
        machine.succeeded(1, "a")
        guard case .end(1, .succeeded) = machine.next() else {
            Issue.record("expected the end of 1")
            return
        }
        machine.suspended()
        #expect(actions(&machine).isEmpty)
        machine.resumed()
        #expect(actions(&machine) == ["start 2"])
    }

    @Test func `an element waits for those it needs, and holds up those behind it`() {
        var machine = Machine(concurrency: 3)
        machine.enqueued(1)
        machine.enqueued(2)
        machine.enqueued(3, after: [1])
        machine.enqueued(4)
        #expect(actions(&machine) == ["start 1", "start 2"])
        machine.succeeded(2, "b")
        #expect(actions(&machine) == ["ok 2 b"])
        machine.succeeded(1, "a")
        #expect(actions(&machine) == ["ok 1 a", "start 3", "start 4"])
    }

    @Test func `O01: resume after cancel revives nothing`() {
        var machine = Machine()
        for element in 1...3 { machine.enqueued(element) }
        _ = actions(&machine)
        machine.cancelled(.requested)
        machine.resumed()
        #expect(
            actions(&machine) == [
                "abort 1", "aborted 1 requested 0", "cancelled 2 requested 0",
                "cancelled 3 requested 0", "idle",
            ])
    }

    @Test func `cancelling one element leaves the others`() {
        var machine = Machine()
        for element in 1...3 { machine.enqueued(element) }
        _ = actions(&machine)
        machine.cancelled(2, .requested)
        #expect(actions(&machine) == ["cancelled 2 requested 0"])
        machine.cancelled(1, .requested)
        #expect(actions(&machine) == ["abort 1", "aborted 1 requested 0", "start 3"])
        machine.cancelled(1, .requested)
        #expect(actions(&machine).isEmpty, "it has ended already")
    }

    @Test func `O04: idleness is looked at when it is due`() {
        var machine = Machine()
        machine.enqueued(1)
        _ = actions(&machine)
        machine.succeeded(1, "a")
        _ = machine.next()
        machine.enqueued(2)
        #expect(actions(&machine) == ["start 2"], "no idle in between")
        machine.succeeded(2, "b")
        #expect(actions(&machine) == ["ok 2 b", "idle"])
    }

    @Test("The six invariants hold over 100,000 random interleavings", .timeLimit(.minutes(5)))
    func invariants() {
        let seed = printedSeed("queue invariants")
        var generator = SeededGenerator(seed: seed)
        for round in 0..<100_000 {
            var run = RandomRun(generator: generator)
            if let broken = run.play() {
                Issue.record("seed \(seed), round \(round): \(broken)")
                return
            }
            generator = run.generator
        }
    }
}

/// One random sequence of things that happen to a queue, checked against its invariants.
private struct RandomRun {
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
