public import PipelineJSON

/// A pipeline with the values it starts with, checked: all that is missing for a run is a network.
///
/// What chance decides, such as a variable whose value is `{{$uuid}}`, is decided: every run of the
/// same inputs sees the same value.
public struct PipelineInputs: Sendable {
    /// The pipeline.
    public let pipeline: Pipeline
    /// What relative addresses are joined to, without a slash at its end; `nil` for nothing.
    public private(set) var baseURL: String?
    /// The values by slot; `nil` for what responses bring.
    let values: [JSONValue?]
    /// What no output may show.
    package let redactor: Redactor

    /// Whether the pipeline wants to be answered from its examples.
    package var needsStub: Bool { baseURL == Self.stub }

    package static let stub = "stub:"

    /// The same pipeline and values, with another address that relative ones are joined to.
    ///
    /// A secret that got a placeholder because of `stub:` keeps it, which only a stub accepts.
    ///
    /// - Throws: ``PipelineError`` when the address cannot be used.
    public func replacingBaseURL(_ baseURL: String) throws(PipelineError) -> PipelineInputs {
        var copy = self
        do {
            copy.baseURL = try Self.checked(baseURL, named: "the given baseURL", at: basePlace)
        } catch {
            throw PipelineError(
                [Problem(message: error.message, place: basePlace)], in: pipeline.source)
        }
        return copy
    }

    private var basePlace: SourcePlace { pipeline.baseURLPlace ?? pipeline.source.whole }

    /// A base URL as it is used: one that can be sent to, without a slash at its end, or `stub:`.
    fileprivate static func checked(
        _ text: String, named name: String, at place: SourcePlace
    ) throws(TemplateError) -> String {
        guard text != stub else { return text }
        let url: HTTPURL
        do {
            url = try HTTPURL(text)
        } catch {
            throw TemplateError(message: "\(name): \(error.description)", place: place)
        }
        guard !url.target.utf8.contains(UInt8(ascii: "?")) else {
            throw TemplateError(message: "a baseURL may not have a query", place: place)
        }
        return url.text.hasSuffix("/") ? String(url.text.dropLast()) : url.text
    }
}

extension Pipeline {
    /// Gives the variables their values and checks that nothing is missing.
    ///
    /// - Parameters:
    ///   - given: Values by name; they replace those of the file.
    ///   - baseURL: Instead of the file's: an address such as `https://example.com/v1`, or `stub:`.
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
        let base = baseURL(override)
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

    private mutating func baseURL(_ override: String?) -> String? {
        let place = pipeline.baseURLPlace ?? pipeline.source.whole
        let (template, store) = (pipeline.baseURL, VariableValues(values))
        return attempt { () throws(TemplateError) in
            if let override {
                return try PipelineInputs.checked(override, named: "the given baseURL", at: place)
            }
            guard let template else { return nil }
            return try PipelineInputs.checked(
                template.render(store, encoding: .address), named: "baseURL", at: place)
        }
    }

    /// Runs what may find a value that is missing, which was reported where it is missing.
    private mutating func attempt<Value>(
        _ work: () throws(TemplateError) -> Value?
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
