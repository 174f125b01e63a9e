#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The folder of a ``DiskCache``; files that are not the cache's own are left alone.
struct CacheFolder: Sendable {
    let path: String

    /// A file with a response.
    struct Entry: Sendable {
        let key: CacheKey
        let size: Int
        /// In nanoseconds since the beginning of 1970.
        let lastUse: Int
    }

    /// Makes the folder if need be, for its owner only.
    ///
    /// Refuses one in which somebody else could put a response, such as one in `/tmp` that another
    /// user made first.
    init(_ path: String) throws(ResponseCacheError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw ResponseCacheError("\"\(path)\" cannot be a cache's folder")
        }
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            let reason = String(cString: strerror(errno))
            throw ResponseCacheError("cannot make the cache's folder \(path): \(reason)")
        }
        if let reason = Self.reasonForDistrust(path) {
            throw ResponseCacheError("cannot trust the cache's folder \(path): \(reason)")
        }
        guard access(path + "/", R_OK | W_OK | X_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            throw ResponseCacheError("cannot use the cache's folder \(path): \(reason)")
        }
        self.path = path
    }

    /// Why somebody else may have a say in what the folder holds; `nil` when nobody has.
    private static func reasonForDistrust(_ path: String) -> String? {
        // With a slash at its end, a link would be followed.
        var end = path.utf8.endIndex
        while end > path.utf8.index(after: path.utf8.startIndex),
            path.utf8[path.utf8.index(before: end)] == UInt8(ascii: "/")
        {
            end = path.utf8.index(before: end)
        }
        var status = stat()
        // What cannot be looked at is told of as what cannot be used.
        guard lstat(String(path[..<end]), &status) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFLNK { return "it is a symbolic link" }
        if status.st_uid != geteuid() { return "it belongs to another user" }
        if status.st_mode & 0o022 != 0 { return "others may write to it" }
        return nil
    }

    /// The name of an entry's file.
    static func name(_ key: CacheKey) -> String { "\(key.address)-\(key.variant)" }

    /// All entries in no order.
    func entries() -> [Entry] {
        files().compactMap { name, status in
            CacheKey(fileName: name).map { key in
                Entry(key: key, size: Int(status.st_size), lastUse: status.lastChange)
            }
        }
    }

    /// The keys of all entries in no order; cheaper, as no file is looked at.
    func keys() -> [CacheKey] {
        names().compactMap { CacheKey(fileName: $0) }
    }

    /// Removes an entry, if it is there.
    func remove(_ name: String) {
        unlink("\(path)/\(name)")
    }

    /// Notes that an entry was used.
    ///
    /// By a time that is given: the system's own stands still for milliseconds.
    func touch(_ name: String) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        utimensat(AT_FDCWD, "\(path)/\(name)", [now, now], AT_SYMLINK_NOFOLLOW)
    }

    /// Removes what processes that ended amid writing have left: not written to for an hour.
    func removeRemains() {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        for (name, status) in files() where Self.isBeingWritten(name) {
            if status.lastChange / 1_000_000_000 < Int(now.tv_sec) - 3_600 { remove(name) }
        }
    }

    /// Whether a name is one that ``BodyFile`` gives, `.PROCESS-NUMBER.part`.
    private static func isBeingWritten(_ name: String) -> Bool {
        guard name.hasPrefix("."), name.hasSuffix(".part") else { return false }
        let numbers = name.dropFirst().dropLast(".part".count)
            .split(separator: "-", omittingEmptySubsequences: false)
        return numbers.count == 2
            && numbers.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }
    }

    private func files() -> [(name: String, status: stat)] {
        names().compactMap { name in
            var status = stat()
            guard lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
            else { return nil }
            return (name, status)
        }
    }

    private func names() -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }
}

extension CacheKey {
    /// The key that an entry's file is named after; `nil` for a file of another kind.
    fileprivate init?(fileName: String) {
        let parts = fileName.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.isSum }) else { return nil }
        address = String(parts[0])
        variant = String(parts[1])
    }
}

extension Substring {
    /// Whether this could be a SHA-256 sum.
    fileprivate var isSum: Bool { utf8.count == 64 && utf8.allSatisfy(\.isHexDigit) }
}

extension stat {
    /// In nanoseconds since the beginning of 1970.
    fileprivate var lastChange: Int {
        #if canImport(Darwin)
            Int(st_mtimespec.tv_sec) * 1_000_000_000 + Int(st_mtimespec.tv_nsec)
        #else
            Int(st_mtim.tv_sec) * 1_000_000_000 + Int(st_mtim.tv_nsec)
        #endif
    }
}
