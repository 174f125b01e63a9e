#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A TLS server on the loopback interface, with a certificate that nobody has reason to trust.
///
/// It is OpenSSL's own test server, and answers every request with a page about the connection.
public final class TLSServer: Sendable {
    /// The port, chosen by the system.
    public let port: Int
    /// The file of its certificate, which is valid for `127.0.0.1` only.
    public let certificateFile: String
    private let folder: String
    private let process: pid_t

    /// Whether the program it needs is there; tests are disabled without it.
    public static let isAvailable = (try? run(["version"])) != nil

    /// A program that could not be run.
    struct Failure: Error {
        let program: String
    }

    /// Makes a certificate and starts to listen.
    public init() throws {
        var template = Array("/tmp/tls-server-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else { throw Failure(program: "mkdtemp") }
        let folder = String(cString: path)
        let certificate = "\(folder)/certificate.pem"
        let key = "\(folder)/key.pem"
        self.folder = folder
        certificateFile = certificate
        do {
            try Self.run([
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=test",
                "-addext", "subjectAltName=IP:127.0.0.1",
            ])
            var pipe: [Int32] = [-1, -1]
            guard Self.makePipe(&pipe) else { throw Failure(program: "pipe") }
            defer { Self.closeDescriptor(pipe[0]) }
            do {
                defer { Self.closeDescriptor(pipe[1]) }
                process = try Self.spawn(
                    [
                        "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key,
                        "-www",
                    ],
                    output: pipe[1])
            }
            port = try Self.readPort(pipe[0])
        } catch {
            Self.remove(folder)
            throw error
        }
    }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        Self.remove(folder)
    }

    private static func remove(_ folder: String) {
        unlink("\(folder)/certificate.pem")
        unlink("\(folder)/key.pem")
        rmdir(folder)
    }

    /// The server says where it listens: `ACCEPT 127.0.0.1:39651`.
    private static func readPort(_ output: Int32) throws -> Int {
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1 {
            text.append(byte)
            guard byte == UInt8(ascii: "\n") else { continue }
            let line = String(decoding: text, as: UTF8.self).dropLast()
            text = []
            guard line.hasPrefix("ACCEPT") else { continue }
            return Int(line.drop { $0 != ":" }.dropFirst()) ?? 0
        }
        throw Failure(program: "openssl s_server")
    }

    private static func run(_ arguments: [String]) throws {
        let process = try spawn(arguments, output: nil)
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process, status == 0 else {
            throw Failure(program: "openssl")
        }
    }

    private static func spawn(_ arguments: [String], output: Int32?) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        var argv = (["openssl"] + arguments).map { strdup($0) }
        argv.append(nil)
        defer { argv.forEach { free($0) } }
        var process: pid_t = 0
        guard posix_spawnp(&process, "openssl", &actions, nil, argv, environ) == 0 else {
            throw Failure(program: "openssl")
        }
        return process
    }

    private static func makePipe(_ ends: inout [Int32]) -> Bool {
        ends.withUnsafeMutableBufferPointer { pipe($0.baseAddress) } == 0
            && ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
    }

    private static func closeDescriptor(_ descriptor: Int32) {
        close(descriptor)
    }
}
