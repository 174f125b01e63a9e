#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder that goes away with the value, and all that is in it.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// A call of the system that failed.
    package struct Failure: Error {
        package let message: String
    }

    package init() throws {
        // In /tmp, whatever the environment says: the path of a Unix socket must be short.
        var template = Array("/tmp/pipeline-run-tests-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw Failure(message: "there is no temporary folder")
        }
        path = String(cString: made)
    }

    deinit {
        Self.remove(path)
    }

    /// A path in the folder, which is removed with it.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and returns its path.
    @discardableResult
    package func write(_ text: String, as name: String) throws -> String {
        try write(Array(text.utf8), as: name)
    }

    /// Writes a file and returns its path.
    @discardableResult
    package func write(_ bytes: [UInt8], as name: String) throws -> String {
        let file = file(name)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(message: "cannot write \(file)") }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Failure(message: "cannot write \(file)") }
            rest = rest.dropFirst(count)
        }
        return file
    }

    /// Makes a file of that size that takes no room.
    package func writeSparse(_ size: Int, as name: String) throws -> String {
        let file = try write("", as: name)
        guard truncate(file, off_t(size)) == 0 else {
            throw Failure(message: "cannot make \(file) larger")
        }
        return file
    }

    /// Makes a folder and returns its path.
    package func makeFolder(_ name: String) throws -> String {
        let folder = file(name)
        guard mkdir(folder, 0o700) == 0 else {
            throw Failure(message: "cannot make \(folder)")
        }
        return folder
    }

    /// Makes a symbolic link in the folder.
    package func link(_ name: String, to target: String) throws {
        guard symlink(target, file(name)) == 0 else {
            throw Failure(message: "cannot make the link \(name)")
        }
    }

    /// Removes a file.
    package func remove(_ name: String) throws {
        guard unlink(file(name)) == 0 else { throw Failure(message: "cannot remove \(name)") }
    }

    /// The names of all that is in a folder; empty for what is no folder.
    package static func names(in folder: String) -> [String] {
        guard let entries = opendir(folder) else { return [] }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// A link is removed, not followed.
    private static func remove(_ path: String) {
        guard unlink(path) != 0 else { return }
        for name in names(in: path) { remove("\(path)/\(name)") }
        rmdir(path)
    }
}

/// `write`, which the type's own functions hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
