import PipelineCore
import Testing

@testable import PipelineCommand

/// The files that bring the program to where it runs: nothing here builds an image or calls a
/// server, but what they name must exist.
@Suite("Files for CI servers and clusters")
struct DeploymentFileTests {
    @Test(
        "Every option that they give to pipeline-run is one of its own",
        arguments: [
            (".github/actions/pipeline-run/action.yml", ["--annotations", "--report-junit"]),
            ("Documentation/gitlab-ci.yml", ["--report-junit", "--report-json"]),
            ("Documentation/kubernetes-job.yaml", ["--report-junit", "--report-json"]),
        ])
    func options(path: String, expected: [String]) throws {
        // Those of other programs, in the lines that call them.
        let lines = try PipelineRunProgram.text(path).split(separator: "\n").filter { line in
            !["git ", "#"].contains { line.drop { $0 == " " }.hasPrefix($0) }
        }
        let options = lines.joined(separator: "\n").matches(of: /[\s(](--[a-z][a-z-]*)/)
            .map { String($0.1) }
        for option in options {
            #expect(OptionTable.option(option) != nil, "\(option) in \(path)")
        }
        for option in expected { #expect(options.contains(option), "\(option) in \(path)") }
    }

    @Test("The Job says in how many parts it runs, once for Kubernetes and once for the program")
    func parts() throws {
        let job = try PipelineRunProgram.text("Documentation/kubernetes-job.yaml")
        let count = try #require(job.firstMatch(of: /completions: (\d+)/)).1
        #expect(job.contains(#"- name: JOB_COMPLETIONS\#n              value: "\#(count)""#))
    }

    @Test("The image is built by the script that the README names, and runs what that installs")
    func image() throws {
        let image = try PipelineRunProgram.text("Dockerfile")
        let script = try PipelineRunProgram.text("scripts/install")
        let readme = try PipelineRunProgram.text("README.md")
        #expect(
            image.contains("RUN scripts/install /install\n") && readme.contains("scripts/install"))
        #expect(
            script.contains("--product pipeline-run") && script.contains("--static-swift-stdlib"))
        #expect(
            try PipelineRunProgram.text("Package.swift").contains(
                #"executable(name: "pipeline-run""#))
        #expect(image.contains("COPY --from=build /install/bin/pipeline-run "))
        #expect(script.contains(#"$folder/pipeline-run"#) && script.contains("folder=$prefix/bin"))
        #expect(image.contains(#"ENTRYPOINT ["pipeline-run"]"#))
    }

    @Test("The image has the tools version of the package, and the packages of its setup")
    func packages() throws {
        let image = try PipelineRunProgram.text("Dockerfile")
        let manifest = try PipelineRunProgram.text("Package.swift")
        let tools = try #require(manifest.firstMatch(of: /swift-tools-version: ?6\.(\d+)/)).1
        let swift = try #require(image.firstMatch(of: /FROM swift:6\.(\d+)-bookworm AS build/)).1
        #expect(try #require(Int(swift)) >= #require(Int(tools)))
        let setup = try PipelineRunProgram.text("scripts/setup")
        for package in ["libcurl4-openssl-dev", "pkg-config"] {
            #expect(image.contains(package) && setup.contains(package), "\(package)")
        }
        // The library of the same release as the headers.
        #expect(image.contains(" libcurl4 ") || image.contains(" libcurl4 \\"))
        #expect(image.matches(of: /FROM debian:bookworm-slim/).count == 1)
    }

    @Test("Of the repository, the image's build gets what it needs")
    func context() throws {
        #expect(try PipelineRunProgram.text("Dockerfile").contains("COPY . .\n"))
        let lines = try PipelineRunProgram.text(".dockerignore").split(separator: "\n")
        #expect(lines.contains("*"))
        // A manifest is not valid where a folder of a target is missing.
        let folders = try PipelineRunProgram.text("Package.swift").matches(of: /path: "([^"\/]+)/)
            .map { String($0.1) }
        #expect(folders.contains("Tests"))
        for needed in Set(["Package.swift", "Sources", "scripts"] + folders) {
            #expect(lines.contains("!\(needed)"))
            #expect(
                Folder.exists("\(PipelineRunProgram.package)/\(needed)") == !needed.contains("."))
        }
    }
}
