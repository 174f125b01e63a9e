/// What happens while a pipeline runs, in order.
public enum RunEvent: Sendable {
    /// The request is in flight.
    case started(RequestResult)
    /// It was answered as expected, and its captures were taken.
    case succeeded(RequestResult)
    /// It failed, or was cancelled in flight.
    case failed(RequestResult)
    /// It was cancelled before its turn.
    case cancelled(RequestResult)
    /// It does not take part.
    case skipped(RequestResult)
    /// The run is over; nothing comes after this.
    case finished(RunResult)
}
