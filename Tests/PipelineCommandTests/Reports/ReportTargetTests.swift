import PipelineCore
import TestSupport
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ProgramTests {
    @Suite("Where reports go (O37)", .timeLimit(.minutes(1)))
    struct ReportTargetTests {
        private let folder: TemporaryFolder
        private let server: ByteServer
        private let file: String

        init() throws {
            folder = try TemporaryFolder()
            server = try ByteServer.answering { _ in ByteServer.http() }
            file = try folder.write(
                #"{ "requests": [{ "name": "a", "url": "\#(server.url("/"))" }] }"#, as: "a.json")
        }

        private func text(_ path: String) throws -> String {
            String(decoding: try FileBytes.read(path, limit: 1 << 20), as: UTF8.self)
        }

        @Test("Folders that are missing are made, and nothing but the report is left in them")
        func folders() async throws {
            let path = folder.file("one/two/report.xml")
            let outcome = try await PipelineRunProgram.run("--report-junit", path, file)
            #expect(outcome.status == 0)
            #expect(try text(path).hasSuffix("</testsuites>\n"))
            #expect(TemporaryFolder.names(in: folder.file("one/two")) == ["report.xml"])
        }

        @Test(
            "A path that cannot work is refused before the first request, with code 2",
            arguments: ReportKind.allCases.map(\.option) + ["--events"])
        func impossible(option: String) async throws {
            _ = try folder.makeFolder("folder")
            try folder.write("", as: "plain")
            let closed = try folder.makeFolder("closed")
            chmod(closed, 0o500)
            var paths = [
                ("folder", "is a folder; give the path of a file"), ("new/", "is a folder"),
                ("plain/x", "a part of its path is a file, not a folder"),
                ("plain/x/y", "a part of its path is a file, not a folder"),
                ("a.json", "is a file that this run reads"),
                ("./a.json", "is a file that this run reads"),
            ].map { (folder.file($0.0), $0.1) }
            paths.append(("/proc/none/report", "cannot be written"))
            if geteuid() != 0 { paths.append(("\(closed)/x", "Permission denied")) }
            for (path, message) in paths {
                let outcome = try await PipelineRunProgram.run(option, path, file)
                #expect(outcome.status == 2, "\(path)")
                #expect(outcome.errors.hasPrefix("error: \(option): "), "\(outcome.errors)")
                #expect(outcome.errors.contains(message), "\(path): \(outcome.errors)")
            }
            #expect(server.requests.isEmpty)
            #expect(try text(file).hasPrefix("{"))
        }

        @Test(
            "A file that a pipeline or an option names is not replaced by a report",
            arguments: ["--report-junit", "--events"])
        func named(option: String) async throws {
            let pipeline = try folder.write(
                """
                { "baseURL": "\(server.url(""))", "requests": [
                  { "url": "/", "body": { "file": "body.bin" }, "saveTo": "saved.bin",
                    "expect": { "schema": "a.schema.json" } },
                  { "url": "/", "method": "POST",
                    "body": { "multipart": [{ "name": "f", "file": "part.bin" }] } }] }
                """, as: "named.json")
            let read = ["body.bin", "part.bin", "a.schema.json", "values", "rows.csv", "ca.pem"]
            for name in read { try folder.write("", as: name) }
            try folder.write("{}", as: "a.schema.json")
            try folder.write("x\n1\n", as: "rows.csv")
            try folder.link("link", to: "body.bin")
            let reads = "is a file that this run reads"
            let cases = [(["link"] + read).map { ($0, reads) }, [("saved.bin", "saves a body to")]]
            for (name, message) in cases.flatMap(\.self) {
                var options = [option, folder.file(name), pipeline]
                if name == "values" { options += ["--vars-file", folder.file(name)] }
                if name == "rows.csv" { options += ["--data", folder.file(name)] }
                if name == "ca.pem" { options += ["--cacert", folder.file(name)] }
                let outcome = try await Subprocess(PipelineRunProgram.path, options).waitForEnd()
                #expect(outcome.status == 2, "\(name)")
                #expect(outcome.errors.contains(message), "\(name): \(outcome.errors)")
            }
            let input = try await PipelineRunProgram.run(option, file, "-", input: file)
            #expect(input.status == 2)
            #expect(input.errors.contains(reads), "\(input.errors)")
            #expect(server.requests.isEmpty)
        }

        @Test("A link that leads nowhere, or to itself, is refused and stays")
        func brokenLinks() async throws {
            try folder.link("dangling", to: "none")
            try folder.link("loop", to: "loop")
            for name in ["dangling", "loop"] {
                let outcome = try await PipelineRunProgram.run(
                    "--report-tap", folder.file(name), file)
                #expect(outcome.status == 2, "\(name)")
                #expect(outcome.errors.contains("\(name) cannot be written: "))
                var status = stat()
                #expect(lstat(folder.file(name), &status) == 0)
                #expect(status.st_mode & S_IFMT == S_IFLNK)
            }
            #expect(server.requests.isEmpty)
        }

        @Test(
            "/dev/stdout is standard output, also where that is a file",
            arguments: ["/dev/stdout", "/proc/self/fd/1"])
        func standardOutput(path: String) async throws {
            let piped = try await PipelineRunProgram.run("--report-tap", path, file)
            #expect(piped.output.hasPrefix("TAP version 14\n"))
            #expect(piped.errors.contains("✓ a"))
            let output = try folder.write("", as: "output")
            let outcome = try await PipelineRunProgram.run(
                "--report-tap", path, file, output: .path(output))
            #expect(outcome.status == 0)
            #expect(try text(output).hasPrefix("TAP version 14\n"))
            let twice = try await PipelineRunProgram.run(
                "--report-tap", path, "--report-json", "-", file)
            #expect(twice.status == 2)
            #expect(twice.errors.contains("- is where --report-tap writes"), "\(twice.errors)")
        }

        @Test("Two reports with the same path are refused, however it is written")
        func same() async throws {
            try folder.write("old", as: "r")
            try folder.link("link", to: "r")
            for other in [
                "r", "./r", "../\(folder.path.split(separator: "/").last ?? "")/r", "link",
            ] {
                let outcome = try await PipelineRunProgram.run(
                    "--report-junit", folder.file("r"), "--report-json", folder.file(other), file)
                #expect(outcome.status == 2)
                #expect(outcome.errors.contains("is where --report-junit writes"))
            }
            let outcome = try await PipelineRunProgram.run(
                "--report-tap", folder.file("n"), "--events", folder.file("./n"), file)
            #expect(outcome.status == 2)
            #expect(server.requests.isEmpty)
        }

        @Test(
            "A report that cannot be written gives code 4 and leaves the older one",
            .disabled(
                if: Environment.value("PIPELINE_SANITIZER") != nil,
                "a sanitizer itself cannot work with a limit for the size of files"))
        func fullDisk() async throws {
            let requests = (0..<200).map { #"{ "name": "r\#($0)", "url": "\#(server.url("/"))" }"# }
            let many = try folder.write(
                #"{ "requests": [\#(requests.joined(separator: ","))] }"#, as: "many.json")
            try folder.write("older", as: "report")
            for kind in ["junit", "json"] {
                // A limit for the size of files stands for a disk without room.
                let outcome = try await Subprocess(
                    "/bin/sh",
                    [
                        "-c", #"trap '' XFSZ; ulimit -f 8; exec "$@""#, "sh",
                        PipelineRunProgram.path, "--report-\(kind)", folder.file("report"), many,
                    ]
                ).waitForEnd()
                #expect(outcome.status == 4)
                #expect(outcome.errors.contains("report could not be written to "))
                #expect(try text(folder.file("report")) == "older")
            }
            #expect(
                Set(TemporaryFolder.names(in: folder.path)) == ["a.json", "many.json", "report"])
        }

        @Test("A device that is full gives code 4, also for events")
        func fullDevice() async throws {
            for option in ["--report-json", "--events"] {
                let outcome = try await PipelineRunProgram.run(option, "/dev/full", file)
                #expect(outcome.status == 4)
                #expect(outcome.errors.contains("could not be written to /dev/full"))
            }
        }

        @Test("Devices, pipes and standard output are written directly")
        func streams() async throws {
            let null = try await PipelineRunProgram.run(
                "--report-json", "/dev/null", "--report-tap", "/dev/null", file)
            #expect(null.status == 0)
            let pipe = try await Subprocess(
                "/bin/sh",
                [
                    "-c", #"mkfifo "$3"; cat "$3" & "$1" -q --report-tap "$3" "$2"; wait"#, "sh",
                    PipelineRunProgram.path, file, folder.file("pipe"),
                ]
            ).waitForEnd()
            #expect(pipe.status == 0)
            #expect(pipe.output.hasPrefix("TAP version 14\n1..1\n"))
            let output = try await PipelineRunProgram.run("--report-tap", "-", file)
            #expect(output.output.hasPrefix("TAP version 14\n1..1\nok 1 - "))
            #expect(output.errors.contains("✓ a"))
            let unread = folder.file("unread")
            #expect(mkfifo(unread, 0o600) == 0)
            let refused = try await PipelineRunProgram.run("--report-tap", unread, file)
            #expect(refused.status == 2)
            #expect(refused.errors.contains("nobody reads the pipe"))
        }

        @Test("What a link leads to is replaced and keeps its permissions")
        func links() async throws {
            try folder.write("older", as: "real")
            chmod(folder.file("real"), 0o640)
            try folder.link("link", to: "real")
            let outcome = try await PipelineRunProgram.run(
                "--report-tap", folder.file("link"), file)
            #expect(outcome.status == 0)
            var status = stat()
            #expect(lstat(folder.file("link"), &status) == 0)
            #expect(status.st_mode & S_IFMT == S_IFLNK)
            #expect(stat(folder.file("real"), &status) == 0)
            #expect(status.st_mode & 0o777 == 0o640)
            #expect(try text(folder.file("real")).hasPrefix("TAP version 14"))
        }

        @Test("A second signal leaves the older report as it was (O34)")
        func secondSignal() async throws {
            let hanging = try ByteServer { connection in
                while connection.readRequest() != nil { return connection.waitUntilStopped() }
            }
            let path = try folder.write(
                #"""
                { "requests": [{ "url": "\#(hanging.url("/"))" }],
                  "finally": [{ "url": "\#(hanging.url("/cleanup"))" }] }
                """#, as: "hang.json")
            try folder.write("older", as: "report")
            let program = try PipelineRunProgram.start(
                "--report-json", folder.file("report"), path)
            _ = await hanging.waitForRequests(1)
            program.send(SIGINT)
            _ = await hanging.waitForRequests(2)
            program.send(SIGTERM)
            #expect(try await program.waitForEnd().status == 143)
            #expect(try text(folder.file("report")) == "older")
            #expect(
                Set(TemporaryFolder.names(in: folder.path)) == ["a.json", "hang.json", "report"])
        }

        @Test("Events come while the run goes on")
        func liveEvents() async throws {
            let hanging = try ByteServer { connection in
                while connection.readRequest() != nil { return connection.waitUntilStopped() }
            }
            let path = try folder.write(
                #"{ "requests": [{ "name": "slow", "url": "\#(hanging.url("/"))" }] }"#,
                as: "hang.json")
            let program = try PipelineRunProgram.start("--events", "-", path)
            let text = try await program.waitForText(#""event":"started""#)
            #expect(text.contains(#""request":"slow""#))
            program.send(SIGTERM)
            let outcome = try await program.waitForEnd()
            #expect(outcome.status == 143)
            #expect(outcome.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
            #expect(outcome.output.contains(#""event":"finished""#))
        }
    }
}
