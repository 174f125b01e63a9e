#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// nginx, and a shell that ends it when a pipe is closed: by `end`, or by the end of the tests.
struct NginxProcess: ~Copyable {
    private let shell: pid_t
    private let pipe: Int32

    /// Starts nginx, and ends it when there is nothing more to read.
    ///
    /// nginx takes its sockets the way it takes them from an older nginx that it replaces, so that
    /// no port can be lost to somebody else between the choice and the start. A signal that comes
    /// while it starts it forgets, and would then run for ever: so it is sent until nginx is gone.
    private static let script = """
        NGINX=$1 nginx -e stderr -p "$2" -c nginx.conf </dev/null &
        server=$!
        eval "exec $3"
        read -r nothing
        while kill "$server"; do sleep 0.1; done 2>/dev/null &
        wait "$server"
        kill $!
        """

    /// Starts nginx in its folder, listening on these sockets.
    init(folder: String, inheriting sockets: [Int32]) throws {
        let (reading, writing) = try SpawnActions.makePipe()
        defer { close(reading) }
        var moved: [Int32] = []
        defer { for descriptor in moved { close(descriptor) } }
        var actions = SpawnActions()
        defer { actions.destroy() }
        actions.duplicate(reading, as: 0)
        actions.open(1, "/dev/null", O_WRONLY)
        for socket in sockets {
            // Out of the way of the numbers that they get.
            let copy = fcntl(socket, F_DUPFD_CLOEXEC, 64)
            moved.append(copy)
            actions.duplicate(copy, as: Int32(2 + moved.count))
        }
        let numbers = 3..<(3 + sockets.count)
        do {
            shell = try actions.spawn(
                "/bin/sh",
                [
                    "-c", Self.script, "sh", numbers.map { "\($0);" }.joined(), folder,
                    numbers.map { "\($0)<&-" }.joined(separator: " "),
                ], SystemProgram.environment, lastDescriptor: Int32(numbers.upperBound - 1))
        } catch {
            close(writing)
            throw error
        }
        pipe = writing
    }

    /// Ends nginx and waits until it is gone.
    func end() {
        close(pipe)
        var status: Int32 = 0
        while waitpid(shell, &status, 0) < 0, errno == EINTR {}
    }
}
