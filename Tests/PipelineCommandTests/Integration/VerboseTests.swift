import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("What is sent and what came back", .timeLimit(.minutes(1)))
    struct VerboseTests {
        private let folder: TemporaryFolder
        private let file: String

        init() throws {
            folder = try TemporaryFolder()
            file = try folder.write(
                """
                { "baseURL": "stub:", "secrets": ["password"], "requests": [
                    { "name": "login", "method": "POST", "url": "/login",
                      "body": { "json": { "password": "{{password}}" } },
                      "captures": { "id": { "json": "$.id" },
                                    "token": { "json": "$.token", "secret": true } },
                      "example": { "body": { "json": { "id": "a b", "token": "t0k3n-of-ada" } } } },
                    { "name": "me", "url": "/users/{{id}}", "auth": { "bearer": "{{token}}" },
                      "example": { "headers": { "X-Seen": "{{password}}" },
                                   "body": { "text": "hello" } } },
                    { "name": "off", "url": "/off", "enabled": false }
                ] }
                """, as: "a.json")
        }

        private func run(_ arguments: String...) async throws -> Subprocess.Outcome {
            try await Subprocess(
                PipelineRunProgram.path,
                arguments + ["--secret", "password=hunter2-hunter2", file]
            ).waitForEnd()
        }

        @Test("-v shows the heads of both sides without secrets, and no body (O27)")
        func heads() async throws {
            let outcome = try await run("-v")
            #expect(outcome.status == 0)
            for line in [
                "      > POST /login HTTP/1.1\n", "      > Host: 127.0.0.1:",
                "      > Content-Type: application/json\n", "      < HTTP/1.1 200 OK\n",
                "      > GET /users/a%20b HTTP/1.1\n", "      > Authorization: Bearer ***\n",
                "      < X-Seen: ***\n",
            ] {
                #expect(outcome.output.contains(line), "\(line)")
            }
            #expect(!outcome.output.contains("hello"))
            for secret in ["hunter2", "t0k3n"] { #expect(!outcome.output.contains(secret)) }
        }

        @Test(
            "-vv shows bodies as well, JSON in lines", arguments: [["-vv"], ["-v", "--verbose"]])
        func bodies(_ options: [String]) async throws {
            let outcome = try await Subprocess(
                PipelineRunProgram.path,
                options + ["--secret", "password=hunter2-hunter2", file]
            ).waitForEnd()
            #expect(
                outcome.output.contains("      {\n        \"password\": \"***\"\n      }\n"))
            #expect(
                outcome.output.contains(
                    "      {\n        \"id\": \"a b\",\n        \"token\": \"***\"\n      }\n"))
            #expect(outcome.output.contains("      hello\n"))
            for secret in ["hunter2", "t0k3n"] { #expect(!outcome.output.contains(secret)) }
        }

        @Test("A dry run names captured values, masks secrets and sends nothing")
        func dryRun() async throws {
            let closed = try folder.write(
                """
                { "baseURL": "http://127.0.0.1:1", "secrets": ["password"], "requests": [
                    { "name": "login", "method": "POST", "url": "/login",
                      "body": { "form": { "p": "{{password}}" } }, "captures": { "id": "$.id" },
                      "saveTo": "out.bin" },
                    { "name": "me", "url": "/users/{{id}}", "query": { "of": "{{id}}" } },
                    { "name": "off", "url": "/off", "enabled": false }
                ] }
                """, as: "b.json")
            let outcome = try await PipelineRunProgram.run(
                "--dry-run", "-vv", "--secret", "password=hunter2-hunter2", closed)
            #expect(outcome.status == 0)
            #expect(outcome.errors.isEmpty)
            #expect(
                outcome.output == """
                    b · \(closed) · dry run, nothing is sent

                      login
                        curl -H 'Content-Type: application/x-www-form-urlencoded' --data-raw 'p=***' http://127.0.0.1:1/login
                          > POST /login
                          > Host: 127.0.0.1:1
                          > Content-Type: application/x-www-form-urlencoded
                          >
                          p=***

                      me
                        curl 'http://127.0.0.1:1/users/{{id}}?of={{id}}'
                          > GET /users/{{id}}?of={{id}}
                          > Host: 127.0.0.1:1
                          >

                      off  skipped

                    """)
            #expect(TemporaryFolder.names(in: folder.path).sorted() == ["a.json", "b.json"])
        }

        @Test("A dry run names captured values that Base64 would hide")
        func dryRunCredentials() async throws {
            let basic = try folder.write(
                """
                { "baseURL": "http://127.0.0.1:1", "requests": [
                    { "name": "a", "url": "/a", "captures": { "pin": "$.pin" } },
                    { "name": "b", "url": "/b",
                      "auth": { "basic": { "username": "ada", "password": "{{pin}}" } } }
                ] }
                """, as: "basic.json")
            let outcome = try await PipelineRunProgram.run("--dry-run", basic)
            #expect(outcome.output.contains("> Authorization: Basic base64(ada:{{pin}})\n"))
        }

        @Test("A dry run tells what could not be sent, and needs what a run needs")
        func dryRunProblems() async throws {
            let secret = try folder.write(
                #"{ "secrets": ["password"], "requests": [{ "url": "https://a/{{password}}" }] }"#,
                as: "d.json")
            let missing = try await PipelineRunProgram.run("--dry-run", secret)
            #expect(missing.status == 2)
            #expect(missing.errors.contains("the secret \"password\" has no value"))
            let bad = try folder.write(
                #"{ "variables": { "u": "nonsense" }, "requests": [{ "url": "{{u}}" }] }"#,
                as: "c.json")
            let outcome = try await PipelineRunProgram.run("--dry-run", bad)
            #expect(outcome.status == 3)
            #expect(outcome.errors.contains("c.json:1:"))
        }
    }
}
