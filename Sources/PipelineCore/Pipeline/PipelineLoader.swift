import PipelineJSON

/// Turns the text of a file into a ``Pipeline``, or into everything that is wrong with it.
///
/// The shape of the file is checked against ``PipelineFormat`` first. Compiling goes on after that
/// also when something was found, so that one look shows all problems; what has the wrong shape is
/// then passed over in silence.
final class PipelineLoader {
    private(set) var problems: [Problem] = []
    private(set) var variables = VariableTable()
    let files: FileRoot
    var schemas: SchemaLoader
    var paths: [String: JSONPath] = [:]
    var statuses: [String: [StatusRange]] = [:]
    /// The requests that capture a name, by its slot.
    private var capturers: [Int: String] = [:]
    /// The slots that the requests compiled so far fill.
    private var captured: Set<Int> = []
    private var requestNames: Set<String> = []
    /// The files that the requests compiled so far write; `nil` among them for names that depend
    /// on values.
    private var savedFiles: Set<String?> = []

    private init(files: FileRoot) {
        self.files = files
        schemas = SchemaLoader(files: files)
    }

    static func load(
        _ bytes: [UInt8], name: String, files: FileRoot
    ) throws(PipelineError) -> Pipeline {
        let root: JSONValue
        do {
            root = try JSONValue(parsing: bytes)
        } catch {
            throw PipelineError(Diagnostic(error, in: bytes, file: name))
        }
        let source = SourceText(name: name, bytes: bytes)
        let loader = PipelineLoader(files: files)
        let pipeline = loader.compile(root, source)
        guard loader.problems.isEmpty else { throw PipelineError(loader.problems, in: source) }
        return pipeline
    }

    private func compile(_ root: JSONValue, _ source: SourceText) -> Pipeline {
        for doubled in root.doubledNames(limit: PipelineError.maximumCount) {
            report(
                "the key \"\(doubled.second.name.shortened)\" is written twice",
                doubled.second.nameRange)
        }
        if let start = root.document.firstLoneSurrogate {
            let more = root.document.loneSurrogateCount - 1
            report(
                "half a surrogate pair is not a character"
                    + (more > 0 ? "; the file has \(more) more" : ""),
                start..<start + 6)
        }
        var validator = ShapeValidator()
        validator.validate(root, .object(PipelineFormat.pipeline))
        problems += validator.problems

        declareVariables(root)
        declareCaptures(root)
        defineVariables(root)
        let base = root["baseURL"].flatMap { $0.kind == .string ? $0 : nil }
        let baseURL = base.map { template($0) }
        checkPlaceholders(baseURL?.placeholders ?? [])
        let defaults = RequestDefaults(root["defaults"], self)
        let requests = compileRequests(root["requests"], defaults, hasBase: base != nil)
        let finally = compileRequests(root["finally"], defaults, hasBase: base != nil)
        return Pipeline(
            name: root["name"]?.string ?? source.name.lastPathComponent, source: source,
            requests: requests, finally: finally, variables: variables, baseURL: baseURL,
            baseURLPlace: base.map { SourcePlace($0.sourceRange) }, files: files,
            concurrency: root["concurrency"]?.number?.int ?? 1,
            deadline: duration(root["deadline"]),
            finallyDeadline: duration(root["finallyDeadline"]) ?? .seconds(30))
    }

    private func compileRequests(
        _ list: JSONValue?, _ defaults: RequestDefaults, hasBase: Bool
    ) -> [RequestDefinition] {
        var result: [RequestDefinition] = []
        result.reserveCapacity(list?.count ?? 0)
        for value in list?.elements ?? .none where value.kind == .object {
            var compiler = RequestCompiler(value, defaults, self)
            guard let request = compiler.compile(hasBase: hasBase) else { continue }
            if !requestNames.insert(request.name).inserted {
                report(
                    "the name \"\(request.name.shortened)\" is taken by an earlier request",
                    request.place)
            }
            if request.isEnabled { captured.formUnion(request.captures.map(\.slot)) }
            result.append(request)
        }
        return result
    }

    /// Reports a file that is missing, unless an earlier request will have written it by then.
    func checkReadable(_ file: FileTemplate) {
        guard let path = file.path.literal, !savedFiles.contains(files.path(path)),
            !savedFiles.contains(nil)
        else { return }
        do {
            _ = try file.readable(VariableValues([]), files)
        } catch {
            report(error.message, file.place)
        }
    }

    /// Reports a file that cannot be written because of where it would be.
    func checkWritable(_ file: FileTemplate) {
        savedFiles.insert(file.path.literal.map { files.path($0) })
        guard file.path.literal != nil else { return }
        do {
            _ = try file.writable(VariableValues([]), files)
        } catch {
            report(error.message, file.place)
        }
    }

    func report(_ message: String, _ bytes: Range<Int>) {
        report(message, SourcePlace(bytes))
    }

    func report(_ message: String, _ place: SourcePlace) {
        problems.append(Problem(message: message, place: place))
    }
}

// Templates and names.
extension PipelineLoader {
    func template(_ value: JSONValue) -> Template { parser.parse(value) }

    func jsonTemplate(_ value: JSONValue) -> JSONTemplate {
        JSONTemplate(value) { parser.parse($0) }
    }

    func duration(_ value: JSONValue?) -> Duration? {
        value?.string.flatMap(DurationText.parse)
    }

    /// The slots among the placeholders that only responses fill.
    func capturedSlots(_ placeholders: [Template.Placeholder]) -> [Int] {
        placeholders.compactMap { placeholder in
            guard case .slot(let slot) = placeholder.reference,
                case .captured = variables.entries[slot].source
            else { return nil }
            return slot
        }
    }

    /// Reports captured values that are used where no response has come yet.
    ///
    /// - Parameter request: The request that uses them; `nil` for what is needed before any.
    func checkPlaceholders(_ placeholders: [Template.Placeholder], of request: String? = nil) {
        for placeholder in placeholders {
            guard case .slot(let slot) = placeholder.reference, let capturer = capturers[slot],
                case .captured = variables.entries[slot].source,
                request == nil || !captured.contains(slot)
            else { continue }
            let user = request.map { "at \"\($0)\"" } ?? "before the first request"
            report(
                "{{\(placeholder.name)}} is not known \(user): it is captured by \(capturer)",
                placeholder.place)
        }
    }

    private var parser: TemplateParser {
        TemplateParser(
            resolve: { [self] name, place in resolve(name, place) },
            report: { [self] message, place in report(message, place) })
    }

    private func resolve(_ name: String, _ place: SourcePlace) -> Reference? {
        if name.hasPrefix("env.") { return .slot(variables.add(name, .environment, at: place)) }
        if let slot = variables.slot(of: name) { return .slot(slot) }
        let hint = NearestName.hint(name, among: variables.entries.lazy.map(\.name))
        report(
            "unknown variable {{\(name.shortened)}}"
                + (hint.isEmpty ? "; declare it under \"variables\" or \"secrets\"" : hint),
            place)
        return nil
    }

    /// Declares all names first, so that variables can use each other in any order.
    private func declareVariables(_ root: JSONValue) {
        let empty = JSONTemplate(.null) { _ in Template(literal: "") }
        for member in root["variables"]?.members ?? .none {
            variables.add(member.name, .declared(empty), at: SourcePlace(member.nameRange))
        }
        for value in root["secrets"]?.elements ?? .none {
            guard let name = value.string else { continue }
            if variables.slot(of: name) != nil {
                report(
                    "\"\(name)\" is declared before; a secret has no default value",
                    value.sourceRange)
            }
            variables.add(name, .secret, at: SourcePlace(value.sourceRange))
        }
    }

    private func declareCaptures(_ root: JSONValue) {
        for key in ["requests", "finally"] {
            for request in root[key]?.elements ?? .none {
                for capture in request["captures"]?.members ?? .none {
                    let place = SourcePlace(capture.nameRange)
                    let slot = variables.add(capture.name, .captured, at: place)
                    let name = request["name"]?.string ?? request["url"]?.string ?? "a request"
                    let isEnabled = request["enabled"]?.boolean ?? true
                    let capturer = "\"\(name)\"" + (isEnabled ? "" : ", which is not enabled")
                    if capturers[slot] == nil { capturers[slot] = capturer }
                }
            }
        }
    }

    private func defineVariables(_ root: JSONValue) {
        for member in root["variables"]?.members ?? .none {
            guard let slot = variables.slot(of: member.name) else { continue }
            let template = jsonTemplate(member.value)
            checkPlaceholders(template.placeholders)
            variables.define(slot, template)
        }
        guard let cycle = VariableOrder(variables).cycle else { return }
        let names = cycle.map { variables.entries[$0].name }
        report(
            "the variables need each other in a circle: "
                + (names + [names[0]]).joined(separator: " → "),
            variables.entries[cycle[0]].place)
    }
}

extension JSONValue.Members {
    /// The members of nothing.
    static var none: Self { JSONValue.null.members }
}

extension JSONValue.Elements {
    /// The elements of nothing.
    static var none: Self { JSONValue.null.elements }
}

extension String {
    /// What comes after the last slash, without `.json`.
    fileprivate var lastPathComponent: String {
        let last = split(separator: "/").last.map(String.init) ?? self
        return last.hasSuffix(".json") ? String(last.dropLast(5)) : last
    }
}
