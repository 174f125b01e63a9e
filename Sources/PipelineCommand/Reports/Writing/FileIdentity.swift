#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What tells whether two paths lead to the same file.
struct FileIdentity: Sendable, Equatable {
    /// With all links resolved, for a file that is not there yet.
    private let path: String
    /// Device and number, for one that is.
    private let numbers: [UInt64]?
    /// A device may be written to any number of times.
    private let isShared: Bool

    init(path: String) {
        self.path = path
        numbers = nil
        isShared = false
    }

    init(path: String, _ status: stat) {
        self.path = path
        numbers = [UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino)]
        isShared = status.st_mode & S_IFMT == S_IFCHR
    }

    static func == (one: FileIdentity, other: FileIdentity) -> Bool {
        if one.isShared || other.isShared { return false }
        guard let numbers = one.numbers, let others = other.numbers else {
            return one.path == other.path
        }
        return numbers == others
    }
}
