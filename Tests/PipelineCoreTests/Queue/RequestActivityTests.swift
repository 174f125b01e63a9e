import Testing

@testable import PipelineCore

@Suite("What a request in flight is doing")
struct RequestActivityTests {
    private struct Silent: Exchange {
        func cancel() {}
    }

    private let answer = RequestActivity.Outcome.success(ExchangeMetrics())

    @Test("An exchange that ends after it was started is gone on from by who tells of its end")
    func later() {
        var activity = RequestActivity()
        _ = activity.begun(.starting(nil))
        let (result, isUnwanted) = activity.started(Silent())
        #expect(result == nil && !isUnwanted)
        let goesOn = activity.ended(answer)
        #expect(goesOn)
    }

    @Test("An exchange that ends while it is started is gone on from by who starts it")
    func atOnce() {
        var activity = RequestActivity()
        _ = activity.begun(.starting(nil))
        let goesOn = activity.ended(answer)
        #expect(!goesOn)
        let (result, isUnwanted) = activity.started(Silent())
        #expect(result != nil && !isUnwanted)
    }

    @Test("A cancel ends what is under way, and nothing begins any more")
    func cancelled() {
        var activity = RequestActivity()
        _ = activity.begun(.starting(nil))
        _ = activity.started(Silent())
        if case .exchange = activity.cancelled() {} else { Issue.record("no exchange to end") }
        let (goesOn, next) = (activity.ended(answer), activity.begun(.none))
        #expect(!goesOn, "a late answer changes nothing")
        #expect(next == nil)
    }

    @Test("A cancel while an exchange is started leaves its end to who starts it")
    func cancelledWhileStarted() {
        var activity = RequestActivity()
        _ = activity.begun(.starting(nil))
        if case .starting = activity.cancelled() {} else { Issue.record("it was being started") }
        let (_, isUnwanted) = activity.started(Silent())
        #expect(isUnwanted)
    }

    @Test("A pause that is over before it is noted does not stand in for what came after it")
    func shortPause() throws {
        var activity = RequestActivity()
        let begun = activity.begun(.none)
        let number = try #require(begun)
        _ = activity.begun(.starting(nil))
        let isUnwanted = activity.paused(Task {}, number: number)
        #expect(!isUnwanted)
        _ = activity.started(Silent())
        if case .exchange = activity.cancelled() {} else { Issue.record("no exchange to end") }
    }
}
