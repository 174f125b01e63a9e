import PipelineCore
import TestSupport

/// The program that is tested: the one that was built with the tests, or the one that
/// `PIPELINE_TESTED_PROGRAM` names (`scripts/test-installed`).
enum PipelineRunProgram {
    static let path =
        Environment.value("PIPELINE_TESTED_PROGRAM") ?? BuiltProgram.path("pipeline-run")

    /// The folder of the package.
    static let package: String = {
        // This file is Tests/PipelineCommandTests/Process/PipelineRunProgram.swift.
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    }()

    /// The text of a file of the package.
    static func text(_ path: String) throws -> String {
        String(decoding: try FileBytes.read("\(package)/\(path)", limit: 1 << 20), as: UTF8.self)
    }

    static func start(
        _ arguments: String..., environment: [String: String] = [:],
        input: String = "/dev/null", output: Subprocess.Destination = .kept,
        errors: Subprocess.Destination = .kept
    ) throws -> Subprocess {
        try Subprocess(
            path, arguments, environment: environment, input: input, output: output,
            errors: errors)
    }

    /// Runs it to its end.
    static func run(
        _ arguments: String..., environment: [String: String] = [:],
        input: String = "/dev/null", output: Subprocess.Destination = .kept,
        errors: Subprocess.Destination = .kept
    ) async throws -> Subprocess.Outcome {
        try await Subprocess(
            path, arguments, environment: environment, input: input, output: output,
            errors: errors
        ).waitForEnd()
    }
}
