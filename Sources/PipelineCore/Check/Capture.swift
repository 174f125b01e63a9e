import PipelineJSON

/// A value that is taken from a response for the requests that follow.
struct Capture: Sendable {
    let name: String
    let slot: Int
    let source: ResponseSource
    /// Takes its first group, or the whole match, out of a text.
    let pattern: PatternTemplate?
    let steps: [CaptureStep]
    /// The value when nothing is found; `nil` when that is a failure.
    let defaultValue: JSONTemplate?
    let isSecret: Bool
    let place: SourcePlace

    /// The placeholders of everything in it.
    var placeholders: [Template.Placeholder] {
        (pattern?.placeholders ?? []) + steps.flatMap(\.placeholders)
            + (defaultValue?.placeholders ?? [])
    }

    /// What became of it.
    enum Outcome {
        case success(JSONValue)
        case failure(Finding)
    }

    /// The value, freed from the response it stands in.
    func value(
        _ view: ResponseView, _ values: VariableValues
    ) throws(TemplateError) -> Outcome {
        do {
            return .success(try find(view, values))
        } catch let error as SourceFailure {
            if error.isAbsence, let defaultValue { return .success(try defaultValue.value(values)) }
            return .failure(Finding("the capture \"\(name)\": \(error.message)", at: place))
        } catch let error as TemplateError {
            throw error
        } catch {
            return .failure(Finding("\(error)", at: place))
        }
    }

    /// What its source holds, before anything is made of it; for masking.
    func rawValues(_ view: ResponseView) -> [JSONValue] {
        (try? source.nodes(view))?.values ?? []
    }

    private func find(_ view: ResponseView, _ values: VariableValues) throws -> JSONValue {
        let nodes = try source.nodes(view)
        guard let first = nodes.values.first else {
            throw SourceFailure("found nothing at \(source.label)", isAbsence: true)
        }
        // Of a header that is repeated, the first line.
        var value = nodes.isSingular ? first.detached() : JSONValue(array: nodes.values)
        if let pattern { value = try match(value, try pattern.expression(values)) }
        for step in steps { value = try step.apply(to: value, values) }
        return value
    }

    private func match(
        _ value: JSONValue, _ expression: RegularExpression
    ) throws(SourceFailure) -> JSONValue {
        guard value.kind == .string || value.kind == .number else {
            throw SourceFailure("the regex needs text, found \(value.shownWithType)")
        }
        let text = value.plainText
        guard let match = expression.firstMatch(in: text) else {
            throw SourceFailure(
                "the regex \(pattern?.text ?? "") finds nothing in \(value.shown)",
                isAbsence: true)
        }
        guard let range = match.groups.count > 1 ? match.groups[1] : match.range else {
            throw SourceFailure(
                "the first group of the regex \(pattern?.text ?? "") takes no part in its match",
                isAbsence: true)
        }
        return JSONValue(String(decoding: Array(text.utf8)[range], as: UTF8.self))
    }
}
