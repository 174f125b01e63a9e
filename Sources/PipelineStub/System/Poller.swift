#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Waits for several sockets at once.
struct Poller {
    private var entries: [pollfd] = []

    /// What a wait found out about one socket.
    struct Readiness {
        /// A read would not wait: there are bytes, or the end.
        var isReadable: Bool
        /// A write would not wait.
        var isWritable: Bool
        /// Nothing more will come and nothing can be sent.
        var isHungUp: Bool
        /// The connection was reset.
        var isBroken: Bool

        /// Whether anything happened at all.
        var isAny: Bool { isReadable || isWritable || isHungUp || isBroken }
    }

    /// Forgets all sockets.
    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
    }

    /// Adds a socket; the end of its connection is noticed whatever is asked for.
    mutating func add(_ socket: Socket, input: Bool, output: Bool) {
        let events = (input ? POLLIN : 0) | (output ? POLLOUT : 0)
        entries.append(pollfd(fd: socket.descriptor, events: Int16(events), revents: 0))
    }

    /// Waits until something happens or the time is over; `nil` waits without limit.
    ///
    /// Returns `false` when the system cannot wait for these sockets.
    mutating func wait(_ time: Duration?) -> Bool {
        let result = poll(&entries, nfds_t(entries.count), time.map(\.wholeMilliseconds) ?? -1)
        if result >= 0 { return true }
        guard errno == EINTR || errno == EAGAIN else { return false }
        for index in entries.indices { entries[index].revents = 0 }
        return true
    }

    /// What is known about the socket that was added at that place.
    subscript(position: Int) -> Readiness {
        let events = Int32(entries[position].revents)
        return Readiness(
            isReadable: events & Int32(POLLIN) != 0,
            isWritable: events & Int32(POLLOUT) != 0,
            isHungUp: events & Int32(POLLHUP) != 0,
            isBroken: events & Int32(POLLERR | POLLNVAL) != 0
        )
    }
}

extension Duration {
    /// Rounded up, so that a wait never ends before its time and then begins again with nothing.
    fileprivate var wholeMilliseconds: Int32 {
        // Longer waits than poll can be told are begun again by whoever asked for them.
        let (seconds, attoseconds) = max(.zero, min(self, .seconds(1_000_000))).components
        return Int32(seconds) * 1_000
            + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
