#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A pipe that is open at both ends, nearly full, and read by nobody.
final class FullPipe {
    /// Where a program writes.
    let writing: Int32
    private let reading: Int32

    /// - Parameter room: How many bytes can still be written.
    init(room: Int) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Subprocess.Failure(message: "there is no pipe left") }
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var bytes = [UInt8](repeating: 0, count: room)
        let flags = fcntl(writing, F_GETFL)
        _ = fcntl(writing, F_SETFL, flags | O_NONBLOCK)
        while write(writing, bytes, bytes.count) > 0 {}
        _ = fcntl(writing, F_SETFL, flags)
        _ = read(reading, &bytes, bytes.count)
    }

    deinit {
        close(reading)
        close(writing)
    }
}
