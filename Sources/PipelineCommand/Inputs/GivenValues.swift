import PipelineCore
import PipelineJSON

/// The values that come from outside a pipeline file.
///
/// The command line goes before the environment, and that before the files of values.
struct GivenValues: Sendable {
    private let assignments: [Assignment]
    private let fromFiles: [String: JSONValue]

    /// What the options say, their files read.
    init(_ settings: Settings) throws(UsageError) {
        assignments = settings.assignments
        var values: [String: JSONValue] = [:]
        for path in settings.variableFiles {
            values.merge(try VariablesFile.read(path)) { _, last in last }
        }
        fromFiles = values
    }

    /// Puts the values into a pipeline.
    ///
    /// - Throws: Everything that is missing for a run.
    func bind(
        _ pipeline: Pipeline, baseURL: String? = nil
    ) throws(PipelineError) -> PipelineInputs {
        var values = fromFiles
        for name in pipeline.variableNames {
            guard let text = Environment.value("PIPELINE_VAR_\(name)") else { continue }
            values[name] = JSONValue(text)
        }
        for assignment in assignments { values[assignment.name] = assignment.value }
        let inputs = try pipeline.bind(variables: values, baseURL: baseURL)
        for assignment in assignments where assignment.isSecret {
            // Never too short: that was checked when the command line was read.
            _ = inputs.redactor.add(assignment.value.plainText)
        }
        return inputs
    }

    /// Refuses a name on the command line that none of the pipelines declares.
    func checkNames(in pipelines: [Pipeline]) throws(UsageError) {
        let known = pipelines.flatMap(\.variableNames)
        guard let stray = assignments.first(where: { !known.contains($0.name) }) else { return }
        throw UsageError(
            "no file declares a variable \"\(stray.name)\""
                + NearestName.hint(stray.name, among: known))
    }
}
