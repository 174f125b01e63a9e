import PipelineCore
import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCommand

extension ProgramTests {
    @Suite("The option table in other forms", .timeLimit(.minutes(1)))
    struct HelpFormatTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        private static func has(_ program: String) -> Bool {
            ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].contains {
                Folder.hasFile($0 + program)
            }
        }

        /// Runs a script in a shell that has read the completion.
        private func run(
            _ shell: String, _ format: HelpFormat, _ script: String
        ) async throws
            -> Subprocess.Outcome
        {
            let text = try await PipelineRunProgram.run("help", "--format", format.rawValue)
            #expect(text.status == 0)
            let file = try folder.write(text.output, as: "completion")
            let program = try folder.write(
                script.replacing("COMPLETION", with: file).replacing("FOLDER", with: folder.path),
                as: "script")
            return try await Subprocess(
                "/usr/bin/env", [shell] + (shell == "zsh" ? ["-f"] : []) + [program]
            ).waitForEnd()
        }

        @Test("JSON lists every command, option and exit code")
        func json() async throws {
            let outcome = try await PipelineRunProgram.run("help", "--format", "json")
            let root = try JSONValue(parsing: outcome.output)
            #expect(root["version"]?.description == "1")
            let options = Array(try #require(root["options"]).elements)
            let names = options.map { $0["names"].map { Array($0.elements) }?.first?.string }
            #expect(names == OptionTable.all.map { $0.names[0] })
            let color = options[try #require(names.firstIndex(of: "--color"))]
            #expect(
                color["choices"]?.elements.compactMap(\.string) == ["auto", "always", "never"])
            #expect(color["environment"]?.string == "PIPELINE_RUN_COLOR")
            #expect(root["commands"]?.elements.map { $0 }.count == Subcommand.allCases.count)
            #expect(root["exitCodes"]?.elements.map { $0 }.count == 6)
        }

        @Test("A form that there is not is refused, and belongs to help alone")
        func unknown() async throws {
            let outcome = try await PipelineRunProgram.run("help", "--format", "jsn")
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("did you mean \"json\"?"))
            let run = try await PipelineRunProgram.run("--format", "json", "a.json")
            #expect(run.errors.contains("--format is an option of help, not of run"))
        }

        @Test("--help takes a form as the command does", arguments: ["json", "man", "nonsense"])
        func option(form: String) async throws {
            let option = try await PipelineRunProgram.run("run", "--help", "--format", form)
            let command = try await PipelineRunProgram.run("help", "run", "--format", form)
            #expect(option.status == command.status)
            #expect(option.output == command.output)
            #expect(option.errors == command.errors)
        }

        @Test(
            "mandoc renders the manual page without a warning",
            .enabled(if: has("mandoc"), "mandoc is not installed"))
        func mandoc() async throws {
            let page = try folder.write(HelpFormat.man.text(for: nil), as: "pipeline-run.1")
            let lint = try await Subprocess("/usr/bin/env", ["mandoc", "-T", "lint", page])
                .waitForEnd()
            #expect(
                lint.output.split(separator: "\n").filter {
                    !$0.contains("STYLE") && !$0.contains("outdated mandoc.db")
                } == [])
            let text = try await Subprocess(
                "/bin/sh", ["-c", #"mandoc -T utf8 "$1" | sed 's/.\x08//g'"#, "sh", page]
            ).waitForEnd().output
            for option in OptionTable.all {
                #expect(text.contains(option.names[0]), "\(option.names[0])")
            }
        }

        @Test(
            "man renders the manual page without a warning",
            .enabled(if: has("man") && has("groff"), "man or groff is not installed"))
        func man() async throws {
            let page = try folder.write(HelpFormat.man.text(for: nil), as: "pipeline-run.1")
            let outcome = try await Subprocess(
                "/usr/bin/env", ["man", "--warnings", "-l", page],
                environment: ["MANWIDTH": "80", "LC_ALL": "C.UTF-8"]
            ).waitForEnd()
            #expect(outcome.status == 0)
            #expect(outcome.errors.isEmpty)
            #expect(outcome.output.contains("--report-junit"))
        }

        @Test(
            "bash completes commands, options of the command, and values",
            .enabled(if: has("bash"), "bash is not installed"))
        func bash() async throws {
            let outcome = try await run(
                "bash", .bash,
                """
                source COMPLETION
                complete -p pipeline-run
                try() {
                    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _pipeline_run
                    echo "${COMPREPLY[*]}"
                }
                cd FOLDER; touch 'a b.json'
                try pipeline-run va
                try pipeline-run --only x --shar
                try pipeline-run serve --po
                try pipeline-run serve --shar
                try pipeline-run --color a
                try pipeline-run --annotations g
                try pipeline-run --annotations = gitl
                try pipeline-run --progress =
                try pipeline-run --cacert a
                try pipeline-run help ini
                """)
            #expect(outcome.errors.isEmpty)
            #expect(
                outcome.output == """
                    complete -o filenames -F _pipeline_run pipeline-run
                    validate
                    --shard
                    --port

                    auto always
                    github gitlab
                    gitlab
                    auto always never
                    a b.json
                    init

                    """)
        }

        @Test(
            "zsh loads the completion", .enabled(if: has("zsh"), "zsh is not installed"))
        func zsh() async throws {
            // Without a terminal zsh completes nothing: what would be offered is caught instead.
            let outcome = try await run(
                "zsh", .zsh,
                """
                autoload -Uz compinit && compinit -u -D
                source COMPLETION
                print -r -- $_comps[pipeline-run]
                _arguments() { print -rl -- "$@" }
                words=(pipeline-run serve --p) CURRENT=3
                _pipeline_run
                """)
            #expect(outcome.errors.isEmpty)
            let lines = outcome.output.split(separator: "\n").map(String.init)
            #expect(lines.first == "_pipeline_run")
            #expect(lines.contains { $0.hasPrefix("*--port=[") })
            #expect(
                lines.contains(
                    "*--color=[auto heeds NO_COLOR, CI, TERM=dumb and pipes]:auto|always|never:(auto always never)"
                ))
            #expect(!lines.contains { $0.hasPrefix("*--shard=[") })
            #expect(lines.last == "*:operand:_pipeline_run_operands serve")
        }

        @Test(
            "fish completes commands, options of the command, and values",
            .enabled(if: has("fish"), "fish is not installed"))
        func fish() async throws {
            let outcome = try await run(
                "fish", .fish,
                """
                source COMPLETION
                complete -C 'pipeline-run valid' | string replace -r '\\t.*' ''
                complete -C 'pipeline-run --shar' | string replace -r '\\t.*' ''
                complete -C 'pipeline-run serve --po' | string replace -r '\\t.*' ''
                complete -C 'pipeline-run serve --shar' | string replace -r '\\t.*' ''
                complete -C 'pipeline-run --color al' | string replace -r '\\t.*' ''
                """)
            #expect(outcome.errors.isEmpty)
            #expect(outcome.output == "validate\n--shard\n--port\nalways\n")
        }
    }
}
