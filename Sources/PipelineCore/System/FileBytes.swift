#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Reads whole files, without more than the C library.
package enum FileBytes {
    /// A file that cannot be read, and why.
    package struct Failure: Error, CustomStringConvertible {
        /// For people: what happened, without the path.
        package let message: String

        /// The message.
        package var description: String { message }
    }

    /// The content of the file at a path.
    ///
    /// - Throws: What is wrong: it is missing, a folder, larger than the limit, not readable.
    package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        guard !path.utf8.contains(0) else { throw Failure(message: "the path holds a NUL") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(message: reason(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(message: reason(errno)) }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw Failure(message: "it is a folder, expected a file")
        }
        return try read(descriptor, expecting: Int(status.st_size), limit: limit)
    }

    /// How many bytes a file has that could be read.
    ///
    /// - Throws: What is wrong, with the name: it is missing, a folder, not readable.
    static func size(_ path: String, named name: String) throws(Failure) -> Int {
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
            throw Failure(message: "\(name): \(reason(errno))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(message: "\(name) is not a file")
        }
        return Int(status.st_size)
    }

    /// Everything that a descriptor gives until its end.
    package static func read(
        _ descriptor: Int32, expecting size: Int = 0, limit: Int
    ) throws(Failure) -> [UInt8] {
        if size > limit { throw tooLarge(limit) }
        var content: [UInt8] = []
        content.reserveCapacity(size + 1)
        while true {
            var failure: Int32 = 0
            // One more than the size that is known, so that the end is met without another chunk.
            let chunk = [UInt8](unsafeUninitializedCapacity: max(65_536, size + 1 - content.count))
            {
                buffer, count in
                let result = retryingInterrupted {
                    systemRead(descriptor, buffer.baseAddress, buffer.count)
                }
                failure = result < 0 ? errno : 0
                count = max(0, result)
            }
            if failure != 0 { throw Failure(message: reason(failure)) }
            if chunk.isEmpty { return content }
            content.append(contentsOf: chunk)
            if content.count > limit { throw tooLarge(limit) }
        }
    }

    private static func tooLarge(_ limit: Int) -> Failure {
        Failure(message: "it is larger than \(ByteSize(limit)), the limit for a pipeline file")
    }

    private static func reason(_ code: Int32) -> String {
        switch code {
        case ENOENT: "there is no such file"
        case EACCES: "permission to read it is denied"
        default: String(cString: strerror(code))
        }
    }

    private static func retryingInterrupted(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

/// `read`, which the type's own functions hide.
private func systemRead(
    _ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int
) -> Int {
    read(descriptor, buffer, count)
}
