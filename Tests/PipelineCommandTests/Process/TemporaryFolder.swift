@testable import PipelineCommand

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder that goes away with the value.
final class TemporaryFolder {
    let path: String
    private var made: [String] = []

    init() throws {
        var template = Array("/tmp/pipeline-run-tests-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw Subprocess.Failure(message: "there is no temporary folder")
        }
        path = String(cString: made)
    }

    deinit {
        for path in made.reversed() + [path] { remove(path) }
    }

    /// A path in the folder, which is removed with it.
    func file(_ name: String) -> String {
        let file = "\(path)/\(name)"
        if !made.contains(file) { made.append(file) }
        return file
    }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ text: String, as name: String) throws -> String {
        try write(Array(text.utf8), as: name)
    }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ bytes: [UInt8], as name: String) throws -> String {
        let file = file(name)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Subprocess.Failure(message: "cannot write \(file)") }
        defer { close(descriptor) }
        var output = Output(descriptor)
        output.write(bytes)
        return file
    }

    /// Makes a file of that size that takes no room.
    func writeSparse(_ size: Int, as name: String) throws -> String {
        let file = try write("", as: name)
        guard truncate(file, off_t(size)) == 0 else {
            throw Subprocess.Failure(message: "cannot make \(file) larger")
        }
        return file
    }

    /// Makes a folder and returns its path.
    func makeFolder(_ name: String) throws -> String {
        let folder = file(name)
        guard mkdir(folder, 0o700) == 0 else {
            throw Subprocess.Failure(message: "cannot make \(folder)")
        }
        return folder
    }
}
