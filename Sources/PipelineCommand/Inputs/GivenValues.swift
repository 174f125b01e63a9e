import PipelineCore
import PipelineJSON

/// The values that come from outside a pipeline file.
///
/// A row of ``data`` goes before all else. The command line goes before the environment, that before
/// the files of values, and those before a configuration file.
struct GivenValues: Sendable {
    private let assignments: [Assignment]
    private let fromFiles: [String: JSONValue]
    /// What each run of a file is given; `nil` for one run of its own.
    let data: DataFile?
    /// What the options hold that is secret without anybody saying so.
    private let credentials: [String]
    /// Masks the secrets of the command line, for what is printed before any file is bound.
    let redactor = Redactor()

    /// What the options say, their files read.
    init(_ settings: Settings) throws(UsageError) {
        assignments = settings.assignments
        credentials =
            settings.headers.credentials + [settings.connection.proxyPassword].compactMap(\.self)
        var values: [String: JSONValue] = [:]
        func read(_ paths: [String]) throws(UsageError) {
            for path in paths {
                values.merge(try VariablesFile.read(path)) { _, last in last }
            }
        }
        if let configured = settings.configured {
            try read(configured.variableFiles)
            for assignment in configured.assignments { values[assignment.name] = assignment.value }
        }
        try read(settings.variableFiles)
        fromFiles = values
        data = try settings.dataPath.map { path throws(UsageError) in try DataFile(path: path) }
        let names = data?.names ?? []
        if let double = settings.assignments.first(where: { names.contains($0.name) }) {
            throw UsageError("\"\(double.name)\" is given by --data and by an option as well")
        }
        maskSecrets(in: redactor)
    }

    /// Puts the values into a pipeline.
    ///
    /// - Parameter row: Values for this run alone.
    /// - Throws: Everything that is missing for a run.
    func bind(
        _ pipeline: Pipeline, row: [String: JSONValue] = [:], baseURL: String? = nil
    ) throws(PipelineError) -> PipelineInputs {
        var values = fromFiles
        for name in pipeline.variableNames {
            guard let text = Environment.value("PIPELINE_VAR_\(name)") else { continue }
            values[name] = JSONValue(text)
        }
        for assignment in assignments { values[assignment.name] = assignment.value }
        values.merge(row) { _, own in own }
        let inputs = try pipeline.bind(variables: values, baseURL: baseURL)
        maskSecrets(in: inputs.redactor)
        return inputs
    }

    private func maskSecrets(in redactor: Redactor) {
        for assignment in assignments where assignment.isSecret {
            // Never too short: that was checked when the command line was read.
            _ = redactor.add(assignment.value.plainText)
        }
        // One that is too short is no secret worth the name.
        for credential in credentials { _ = redactor.add(credential) }
    }

    /// What is to be said about a name on the command line, or a column of its data, that no
    /// pipeline declares; `nil` when there is none.
    func undeclaredName(in pipelines: [Pipeline]) -> String? {
        let known = pipelines.flatMap(\.variableNames)
        let given = assignments.map(\.name) + (data?.names ?? [])
        return given.first { !known.contains($0) }.map {
            "no file declares a variable \"\($0)\"" + NearestName.hint($0, among: known)
        }
    }
}
