/// Where a request meets its answer, one at a time and in the order of receipt.
///
/// A class, because all connections of a server share its turns.
final class Responder {
    private var router: Router
    private let faults: [Int: StubFault]
    private let log: RequestLog?
    private var count = 0
    /// What was dropped on a connection that had served before, and so may come once more.
    private var dropped: StubRequest?

    init(router: Router, faults: [Int: StubFault] = [:], log: RequestLog?) {
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
        let fault = faults[count]
        if fault == .drop, !isFirst { dropped = request }
        // Asked in any case: a broken answer is somebody's turn, too.
        return (router.answer(request), fault)
    }
}
