/// Where a request meets its answer, one at a time and in the order of receipt.
///
/// The place for whatever depends on the number of a request: an answer that is withheld or spoilt
/// on purpose would be decided here. A class, because all connections of a server share its turns.
final class Responder {
    private var router: Router
    private let log: RequestLog?

    init(router: Router, log: RequestLog?) {
        self.router = router
        self.log = log
    }

    func respond(to request: StubRequest) -> StubAnswer {
        log?.append(request)
        return router.answer(request)
    }
}
