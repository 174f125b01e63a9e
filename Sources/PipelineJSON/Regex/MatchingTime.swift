import Synchronization

/// How long a response may be looked at, for whatever is called: expressions, paths and comparisons.
package final class MatchingTime: Sendable {
    /// The time of the searches that are called within; `nil`, the default, for no end.
    @TaskLocal package static var current: MatchingTime?

    private let limit: ContinuousClock.Instant
    private let gaveUp = Atomic(false)

    /// A time that ends at this moment.
    ///
    /// A search looks at it after each million instructions or so, some 20 ms.
    package init(until limit: ContinuousClock.Instant) {
        self.limit = limit
    }

    /// Whether a search gave up, so that its answer must not be used.
    package var isExceeded: Bool { gaveUp.load(ordering: .relaxed) }

    /// Whether a search is to give up now.
    package static var isOver: Bool {
        guard let current, ContinuousClock.now >= current.limit else { return false }
        current.gaveUp.store(true, ordering: .relaxed)
        return true
    }
}
