import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An nginx on the loopback interface, for all that a server does when nothing is wrong.
///
/// It answers on `127.0.0.1`, on `::1` where the machine has it, and on a Unix socket. Its
/// configuration, its files and its log are in a folder of its own, and it ends with the value, or
/// with the process of the tests.
///
/// ```swift
/// let server = try NginxServer("location /hello { return 200 hello; }")
/// ```
package final class NginxServer: Sendable {
    /// Whether the program is there; tests are disabled without it.
    package static let isAvailable = SystemProgram.isInstalled("nginx")

    /// What a server does to be trusted.
    package struct TLS: Sendable {
        package var files: CertificateAuthority.Files
        /// Whether it offers HTTP/2.
        package var hasHTTP2 = false
        /// The versions it speaks, as nginx calls them.
        package var versions = "TLSv1.2 TLSv1.3"
        /// The authority that must have issued the client's certificate; `nil` for no demand.
        package var clientAuthority: String?

        package init(_ files: CertificateAuthority.Files) {
            self.files = files
        }
    }

    /// The port, the same for every address.
    package let port: Int
    /// The path of its Unix socket.
    package let socketPath: String
    /// The folder of the files that it serves, and that `PUT` writes to where that is allowed.
    package let root: String
    /// `http`, or `https` for a server with TLS.
    package let scheme: String
    private let folder: TemporaryFolder
    private let process: Mutex<NginxProcess?>

    /// Starts to serve; a connection is taken even before nginx is ready for it.
    ///
    /// - Parameter directives: What stands in nginx's `server` block.
    package init(_ directives: String = "", tls: TLS? = nil) throws {
        folder = try TemporaryFolder()
        socketPath = folder.file("socket")
        root = try folder.makeFolder("root")
        let (port, listeners) = try Socket.listeningOnLoopback()
        let local = try Socket.listening(path: socketPath)
        defer { for listener in listeners + [local] { listener.close() } }
        self.port = port
        scheme = tls == nil ? "http" : "https"
        let addresses =
            ["127.0.0.1:\(port)", "[::1]:\(port)"].prefix(listeners.count) + ["unix:\(socketPath)"]
        let configuration = Self.configuration(addresses, directives, tls)
        try folder.write(configuration, as: "nginx.conf")
        process = Mutex(
            try NginxProcess(
                folder: folder.path, inheriting: (listeners + [local]).map(\.descriptor)))
    }

    deinit {
        stop()
    }

    /// Ends the server and returns what it has served, in the order in which that was done.
    ///
    /// A request is in the log before its last byte can reach the client, give or take the moment
    /// that nginx needs to end: only its end makes the log complete. May be called again.
    @discardableResult
    package func stop() -> [Delivery] {
        process.withLock { process in
            process?.end()
            process = nil
        }
        return Delivery.all(inLog: folder.file("access.log"))
    }

    /// Makes a file that the server serves, and returns its path.
    package func write(_ bytes: [UInt8], as name: String) throws -> String {
        try folder.write(bytes, as: "root/\(name)")
    }

    /// Makes a file of zeros that the server serves.
    package func writeSparse(_ size: Int, as name: String) throws {
        _ = try folder.writeSparse(size, as: "root/\(name)")
    }

    private static func configuration(
        _ addresses: some Sequence<String>, _ directives: String, _ tls: TLS?
    ) -> String {
        let options = tls.map { $0.hasHTTP2 ? " ssl http2" : " ssl" } ?? ""
        let listens = addresses.map { "listen \($0)\($0.hasPrefix("unix:") ? "" : options);" }
        return """
            daemon off;
            worker_processes 1;
            pid nginx.pid;
            error_log stderr crit;
            \(getuid() == 0 ? "user root;" : "")
            events { worker_connections 512; }
            http {
                client_body_temp_path temporary;
                proxy_temp_path temporary;
                fastcgi_temp_path temporary;
                uwsgi_temp_path temporary;
                scgi_temp_path temporary;
                log_format delivery "\(Delivery.format)";
                access_log access.log delivery;
                keepalive_requests 100000;
                large_client_header_buffers 4 256k;
                client_max_body_size 0;
                server {
                    \(listens.joined(separator: "\n        "))
                    \(tls?.directives ?? "")
                    root root;
                    \(directives)
                }
            }

            """
    }
}

extension NginxServer.TLS {
    fileprivate var directives: String {
        var lines = [
            "ssl_certificate \(files.certificate);", "ssl_certificate_key \(files.key);",
            "ssl_protocols \(versions);",
        ]
        if let clientAuthority {
            lines += ["ssl_client_certificate \(clientAuthority);", "ssl_verify_client on;"]
        }
        return lines.joined(separator: " ")
    }
}
