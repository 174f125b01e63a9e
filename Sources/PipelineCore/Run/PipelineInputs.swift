public import PipelineJSON

/// A pipeline with the values it starts with, checked: all that is missing for a run is a network.
public struct PipelineInputs: Sendable {
    /// The pipeline.
    public let pipeline: Pipeline
    /// What relative addresses are joined to, without a slash at its end; `nil` for nothing.
    public let baseURL: String?
    /// The values by slot; `nil` for what responses bring.
    let values: [JSONValue?]
    /// What no output may show.
    package let redactor: Redactor

    /// Whether the pipeline wants to be answered from its examples.
    public var needsStub: Bool { baseURL == Self.stub }

    package static let stub = "stub:"
}

extension Pipeline {
    /// Gives the variables their values and checks that nothing is missing.
    ///
    /// - Parameters:
    ///   - variables: Values by name; they replace those of the file.
    ///   - baseURL: Instead of the file's.
    ///   - environment: Looks up what `{{env.NAME}}` stands for; the process's own by default.
    /// - Throws: ``PipelineError`` with everything that is missing or cannot be used.
    public func bind(
        variables given: [String: JSONValue] = [:], baseURL: String? = nil,
        environment: ((String) -> String?)? = nil
    ) throws(PipelineError) -> PipelineInputs {
        var binder = Binder(self, given, environment ?? Environment.value)
        let inputs = binder.bind(baseURL: baseURL)
        guard binder.problems.isEmpty else { throw PipelineError(binder.problems, in: source) }
        return inputs
    }
}

/// Works out the values a pipeline starts with.
private struct Binder {
    private let pipeline: Pipeline
    private let given: [String: JSONValue]
    private let environment: (String) -> String?
    private var values: [JSONValue?]
    private(set) var problems: [Problem] = []

    init(
        _ pipeline: Pipeline, _ given: [String: JSONValue],
        _ environment: @escaping (String) -> String?
    ) {
        self.pipeline = pipeline
        self.given = given
        self.environment = environment
        values = Array(repeating: nil, count: pipeline.variables.entries.count)
    }

    mutating func bind(baseURL override: String?) -> PipelineInputs {
        let entries = pipeline.variables.entries
        for slot in entries.indices { begin(slot, entries[slot]) }
        // The order of the uses, so that a value that was given is seen by those that use it.
        for slot in VariableOrder(pipeline.variables).slots where values[slot] == nil {
            guard case .declared(let template) = entries[slot].source else { continue }
            let store = VariableValues(values)
            values[slot] = attempt { () throws(TemplateError) in try template.value(store) }
        }
        let base = override.map { Self.withoutSlash($0) } ?? baseURL()
        let redactor = Redactor()
        for (slot, entry) in entries.enumerated() {
            guard case .secret = entry.source else { continue }
            if values[slot] == nil {
                if base == PipelineInputs.stub {
                    values[slot] = JSONValue("placeholder-for-\(entry.name)")
                } else {
                    problems.append(
                        Problem(
                            message: "the secret \"\(entry.name)\" has no value; it must be given",
                            place: entry.place))
                }
            } else if let value = values[slot], !redactor.add(value) {
                problems.append(
                    Problem(
                        message: "the secret \"\(entry.name)\" is shorter than "
                            + "\(Redactor.minimumLength) bytes and could not be masked",
                        place: entry.place))
            }
        }
        return PipelineInputs(
            pipeline: pipeline, baseURL: base, values: values, redactor: redactor)
    }

    /// Takes what is given from outside.
    private mutating func begin(_ slot: Int, _ entry: VariableTable.Entry) {
        switch entry.source {
        case .declared, .secret: values[slot] = given[entry.name]
        case .captured: break
        case .environment:
            let name = String(entry.name.dropFirst("env.".count))
            values[slot] = environment(name).map { JSONValue($0) }
            if values[slot] == nil {
                problems.append(
                    Problem(
                        message: "the environment variable \(name) is not set", place: entry.place))
            }
        }
    }

    private mutating func baseURL() -> String? {
        guard let template = pipeline.baseURL, let place = pipeline.baseURLPlace else { return nil }
        let store = VariableValues(values)
        let rendered = attempt { () throws(TemplateError) in
            try template.render(store, encoding: .address)
        }
        guard let text = rendered, text != PipelineInputs.stub else { return rendered }
        do {
            let url = try HTTPURL(text)
            if url.target.utf8.contains(UInt8(ascii: "?")) {
                problems.append(
                    Problem(message: "a baseURL may not have a query", place: place))
            }
            return Self.withoutSlash(url.text)
        } catch {
            problems.append(Problem(message: "baseURL: \(error.description)", place: place))
            return nil
        }
    }

    private static func withoutSlash(_ text: String) -> String {
        text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Runs what may find a value that is missing, which was reported where it is missing.
    private mutating func attempt<Value>(
        _ work: () throws(TemplateError) -> Value
    ) -> Value? {
        do {
            return try work()
        } catch  where error.missingSlot == nil {
            problems.append(
                Problem(
                    message: error.message,
                    place: error.place ?? pipeline.source.whole))
        } catch {
            // A secret or an environment variable without a value has a message of its own.
        }
        return nil
    }
}

extension JSONValue {
    /// A string as it is, anything else as JSON.
    package var plainText: String { string ?? description }
}
