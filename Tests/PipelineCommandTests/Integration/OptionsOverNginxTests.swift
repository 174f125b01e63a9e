import PipelineCore
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite(
        "The options about TLS, HTTP/2 and sockets, with nginx", .timeLimit(.minutes(1)),
        .enabled(
            if: NginxServer.isAvailable && CertificateAuthority.isAvailable,
            "nginx and openssl are installed"))
    struct OptionsOverNginxTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        private func run(_ file: String, _ options: [String]) async throws -> Subprocess.Outcome {
            let path = try folder.write(file, as: "a.json")
            return try await Subprocess(PipelineRunProgram.path, options + [path]).waitForEnd()
        }

        /// Runs the command that the output of a run offers, and returns what it printed.
        private func paste(_ output: String) async throws -> String {
            let line = output.split(separator: "\n").first { $0.hasPrefix("  try       ") }
            let command = String(try #require(line, "\(output)").dropFirst(12))
            return try await Subprocess("/bin/sh", ["-c", "\(command) -s"]).waitForEnd().output
        }

        @Test("A client's certificate is shown, whichever the file has; the command shows it too")
        func clientCertificate() async throws {
            let authority = try CertificateAuthority()
            let client = try authority.issue("ada", alternatives: "DNS:ada.test")
            let other = try authority.issue("bob", alternatives: "DNS:bob.test")
            var tls = NginxServer.TLS(try authority.issueForLoopback())
            tls.clientAuthority = authority.certificate
            tls.hasHTTP2 = true
            let server = try NginxServer(
                #"location / { return 200 "$ssl_client_s_dn $server_protocol"; }"#, tls: tls)
            let file = """
                { "requests": [{ "url": "\(server.scheme)://127.0.0.1:\(server.port)/",
                    "tls": { "certificate": "\(other.certificate)", "key": "\(other.key)" },
                    "expect": { "text": "nothing of the kind" } }] }
                """
            let trust = ["--cacert", authority.certificate]
            let own = ["--cert", client.certificate, "--key", client.key]
            for (options, answer) in [
                (trust, "CN=bob HTTP/2.0"), (trust + own, "CN=ada HTTP/2.0"),
                (trust + own + ["--http1.1"], "CN=ada HTTP/1.1"),
                (["-k"] + own + ["--http2"], "CN=ada HTTP/2.0"),
            ] {
                let outcome = try await run(file, options)
                #expect(outcome.status == 1, "\(outcome.output)")
                #expect(outcome.output.contains("response  \(answer)\n"), "\(outcome.output)")
                #expect(try await paste(outcome.output) == answer)
            }
        }

        @Test("A Unix socket takes the place of the host; the command uses it too")
        func unixSocket() async throws {
            let server = try NginxServer(
                #"location / { return 200 "$server_addr $http_host"; }"#)
            let outcome = try await run(
                #"{ "requests": [{ "url": "http://api.test/", "expect": { "text": "" } }] }"#,
                ["--unix-socket", server.socketPath])
            let answer = "unix:\(server.socketPath) api.test"
            #expect(outcome.status == 1, "\(outcome.output)")
            #expect(outcome.output.contains("response  \(answer)\n"), "\(outcome.output)")
            #expect(try await paste(outcome.output) == answer)
        }
    }
}
