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
            var run = RandomQueueRun(generator: generator)
            if let broken = run.play() {
                Issue.record("seed \(seed), round \(round): \(broken)")
                return
            }
            generator = run.generator
        }
    }
}
