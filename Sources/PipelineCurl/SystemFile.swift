#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A regular file that is open for reading.
struct SystemFile: ~Copyable {
    /// Why a file cannot be used, for people, without its path.
    struct Failure: Error {
        let reason: String
    }

    /// How many bytes it had when it was opened.
    let size: Int
    private let descriptor: Int32

    init(_ path: String) throws(Failure) {
        // Not waiting matters for what is no file: to open a pipe would wait for its other end.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw Failure(number: number)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Failure(reason: "it is not a regular file")
        }
        self.descriptor = descriptor
        size = Int(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// Reads from a place on; returns how many bytes there were, 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(Failure) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw Failure(number: errno) }
        }
    }

    /// Refuses a path that does not lead to a Unix socket.
    static func checkSocket(_ path: String) throws(Failure) {
        let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        guard path.utf8.count <= limit else {
            throw Failure(reason: "a path to a socket has at most \(limit) bytes")
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw Failure(number: errno) }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw Failure(reason: "it is not a Unix socket")
        }
    }
}

extension SystemFile.Failure {
    fileprivate init(number: Int32) {
        reason = systemErrorText(number)
    }
}
