import PipelineCore
import Synchronization

/// The connections of a server and the threads that serve them.
final class Sessions: Sendable {
    private struct State {
        var isStopped = false
        var connections: [Connection] = []
        var threads: [PosixThread] = []
    }

    let log = RequestLog()
    private let state = Mutex(State())

    var connectionCount: Int { state.withLock(\.connections.count) }

    /// Serves a connection on a new thread; returns `false` when the server was stopped.
    func begin(_ socket: Socket, _ script: @escaping ByteServer.Script) -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            let connection = Connection(socket, number: state.connections.count + 1, log: log)
            let thread = PosixThread {
                script(connection)
                connection.close()
            }
            guard let thread else { return false }
            state.connections.append(connection)
            state.threads.append(thread)
            return true
        }
    }

    /// Ends what the scripts wait for; returns `false` when that was done before.
    func stop() -> Bool {
        let connections = state.withLock { state -> [Connection]? in
            guard !state.isStopped else { return nil }
            state.isStopped = true
            return state.connections
        }
        guard let connections else { return false }
        for connection in connections {
            connection.interrupt()
        }
        log.close()
        return true
    }

    /// Waits for the end of every script.
    func join() {
        for thread in state.withLock(\.threads) {
            thread.join()
        }
    }
}
