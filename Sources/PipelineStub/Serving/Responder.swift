import PipelineCore

/// Where a request meets its answer, one at a time and in the order of receipt.
///
/// A class, because all connections of a server share its turns.
final class Responder {
    private var router: Router
    /// Those that are yet to come.
    private var faults: [FaultPlace: StubFault]
    private let log: RequestLog?
    private var count = 0
    /// What was dropped on a connection that had served before, and so may be sent once more by a
    /// client that does not even tell.
    private var dropped: StubRequest?

    init(router: Router, faults: [FaultPlace: StubFault] = [:], log: RequestLog?) {
        self.router = router
        self.faults = faults
        self.log = log
    }

    /// The answer, and what is to be wrong with it.
    ///
    /// - Parameter isFirst: Whether it is the first request of its connection.
    func respond(
        to request: StubRequest, isFirst: Bool
    ) -> (answer: StubAnswer, fault: StubFault?) {
        log?.append(request)
        if isFirst, request == dropped.take() { return (StubAnswer(), .drop) }
        count += 1
        // Asked in any case: a broken answer is somebody's turn, too.
        let (answer, route) = router.answer(request)
        var fault = faults.removeValue(forKey: .number(count))
        if fault == nil, let route { fault = faults.removeValue(forKey: .route(name: route)) }
        // Without content, nothing but the head could be missing.
        if fault == .cutShort, !answer.hasContent || request.method == "HEAD" { fault = .drop }
        if fault == .drop, !isFirst, HTTPRequest.isIdempotent(request.method) { dropped = request }
        return (answer, fault)
    }
}
