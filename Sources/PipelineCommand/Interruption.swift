/// The signal that asked the process to end, and what is done about it.
package final class Interruption: Sendable {
    private let state = Monitor(State())

    private struct State {
        var signal: Int32?
        /// By what they are about.
        var actions: [Int: @Sendable () -> Void] = [:]
        var lastAction: (@Sendable () -> Void)?
    }

    /// No signal yet.
    package init() {}

    /// The signal that came; `nil` before one did.
    var signal: Int32? { state.withLock { $0.signal } }

    /// A signal has come: does what was asked for, on the calling thread.
    ///
    /// - Returns: Whether anything was asked for; otherwise there is nothing to be brought to an
    ///   end, and the process may end at once.
    package func receive(_ signal: Int32) -> Bool {
        let actions = state.change { state in
            if state.signal == nil { state.signal = signal }
            return Array(state.actions.values)
        }
        for action in actions { action() }
        return !actions.isEmpty
    }

    /// Sets what the signal does from now on, instead of what was set before for the same file.
    ///
    /// When the signal has come already, it is done at once.
    func perform(for file: Int = 0, _ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.actions[file] = action
            return state.signal != nil
        }
        if isLate { action() }
    }

    /// Sets what is done before the process ends at once, which must wait for nobody.
    func performLast(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.lastAction = action }
    }

    /// The process is about to end at once, whatever is under way.
    package func abandon() {
        state.withLock { $0.lastAction }?()
    }

    /// Holds the calling thread until the signal comes, and has the end left to it.
    func wait() {
        perform {}
        state.wait { $0.signal == nil ? nil : () }
    }

    /// Does the same, but no longer than that.
    func wait(upTo limit: Duration) {
        perform {}
        state.wait(upTo: limit) { $0.signal != nil }
    }
}
