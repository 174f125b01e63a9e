/// Turns one schema into its compiled form; each vocabulary has its extension.
struct SchemaCompiler {
    let index: SchemaIndex
    let source: JSONValue
    let resource: SchemaResource
    private let assertsFormats: Bool
    private let vocabularies: Vocabulary
    private let place: SchemaPlace
    private var assertions: [Keyword<Assertion>] = []
    private var applicators: [Keyword<Applicator>] = []

    init(_ id: SchemaID, in index: SchemaIndex, assertsFormats: Bool) throws(JSONSchemaError) {
        place = index.places[id]
        self.index = index
        source = place.source
        resource = index.resources[place.resource]
        do {
            vocabularies =
                try resource.metaschema.flatMap(index.metaschema).map(Vocabulary.of) ?? .standard
        } catch {
            throw resource.error(
                "the vocabulary \(error.uri) of the metaschema is not known", at: source)
        }
        self.assertsFormats =
            vocabularies.contains(.formatAssertion)
            || assertsFormats && vocabularies.contains(.formatAnnotation)
    }

    mutating func compile() throws(JSONSchemaError) -> Subschema {
        if source.kind == .object {
            if vocabularies.contains(.validation) { try addValidation() }
            if assertsFormats { try addFormat() }
            try addCore()
            if vocabularies.contains(.applicator) { try addApplicators() }
            // Last, since these need to know what all others looked at.
            if vocabularies.contains(.unevaluated) { try addUnevaluated() }
        }
        return Subschema(place, assertions: assertions, applicators: applicators)
    }

    mutating func add(_ assertion: Assertion, _ source: JSONValue) {
        assertions.append(Keyword(source: source, rule: assertion))
    }

    mutating func add(_ applicator: Applicator, _ source: JSONValue) {
        applicators.append(Keyword(source: source, rule: applicator))
    }
}

extension SchemaCompiler {
    /// The schema that a keyword, or an element or member of it, is.
    func id(of schema: JSONValue) throws(JSONSchemaError) -> SchemaID {
        guard let id = index.id(of: schema) else { throw mistake("a schema", schema) }
        return id
    }

    func ids(of list: JSONValue) throws(JSONSchemaError) -> [SchemaID] {
        var ids: [SchemaID] = []
        for schema in list.elements { ids.append(try id(of: schema)) }
        return ids
    }

    func idsByName(of object: JSONValue) throws(JSONSchemaError) -> [JSONStringContent: SchemaID] {
        var ids: [JSONStringContent: SchemaID] = [:]
        for member in object.members { ids[member.content] = try id(of: member.value) }
        return ids
    }

    /// A number that has no fraction and is not negative; one beyond `Int` is as good as `Int.max`.
    func count(_ value: JSONValue) throws(JSONSchemaError) -> Int {
        guard let number = value.decimal, number.isInteger, number >= ExactDecimal("0".utf8) else {
            throw mistake("a non-negative integer", value)
        }
        return number.int ?? .max
    }

    func pattern(
        _ text: String, _ source: JSONValue
    ) throws(JSONSchemaError) -> RegularExpression {
        do {
            return try RegularExpression(text)
        } catch {
            throw resource.error("the pattern \(text) is not one: \(error)", at: source)
        }
    }

    func mistake(_ expected: String, _ value: JSONValue) -> JSONSchemaError {
        resource.error("expected \(expected), found \(value.found)", at: value)
    }
}
