#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that is written in one go.
enum NewFile {
    /// Why a file was not written.
    enum Failure: Error {
        /// There is one already.
        case exists
        /// There is a folder at that path.
        case isFolder
        /// It cannot be made at that path.
        case refused(String)
        /// It was begun and could not be finished.
        case incomplete(String)
    }

    /// Writes a file; one that is there is replaced only when that is asked for.
    static func write(
        _ text: String, to path: String, replacing: Bool
    ) throws(Failure) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (replacing ? O_TRUNC : O_EXCL)
        let descriptor = open(path, flags, 0o644)
        guard descriptor >= 0 else {
            let error = errno
            if Folder.exists(path) { throw .isFolder }
            throw error == EEXIST ? .exists : .refused(String(cString: strerror(error)))
        }
        defer { close(descriptor) }
        var output = Output(descriptor)
        output.write(Array(text.utf8))
        switch output.state {
        case .open: break
        case .closed: throw .incomplete("nobody reads it")
        case .failed(let reason): throw .incomplete(reason)
        }
    }
}
