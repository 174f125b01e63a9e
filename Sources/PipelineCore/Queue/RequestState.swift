/// Where a request stands; it only ever moves to the right: `new → start → success | failed`.
///
/// A request that was cancelled before its turn stays ``new`` and has a
/// ``RequestRecord/cancellation``; one that was cancelled in flight is ``failed`` with the error
/// ``RequestError/Code/cancelled``.
public enum RequestState: String, Sendable, Hashable, CaseIterable {
    /// Not started: it waits for its turn, or was cancelled before it came.
    case new
    /// In flight.
    case start
    /// It could not be completed, or its answer is not what was expected.
    case failed
    /// It was answered as expected.
    case success
}
