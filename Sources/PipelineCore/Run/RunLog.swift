import Synchronization

/// What has happened in a run, kept so that any number of readers may each read all of it.
final class RunLog: Sendable {
    /// One event, small enough to be kept: the requests it is about are known anyway.
    struct Moment: Sendable {
        let kind: Kind
        let position: Int32

        enum Kind: UInt8 { case started, succeeded, failed, cancelled, skipped, finished }
    }

    private struct State {
        var moments: [Moment] = []
        var readers: WaitList?
    }

    private let state = Mutex(State())

    func append(_ moment: Moment) {
        state.withLock { state in
            state.moments.append(moment)
            return state.readers.take()
        }?.finish()
    }

    /// Waits for the moment of that number; `nil` after the last, and when the task is cancelled.
    func moment(at number: Int) async -> Moment? {
        while true {
            let (moment, waiting) = state.withLock { state -> (Moment?, WaitList?) in
                if number < state.moments.count { return (state.moments[number], nil) }
                if state.moments.last?.kind == .finished { return (nil, nil) }
                let readers = state.readers ?? WaitList()
                state.readers = readers
                return (nil, readers)
            }
            if let moment { return moment }
            guard let waiting, (try? await waiting.wait()) != nil else { return nil }
        }
    }
}
