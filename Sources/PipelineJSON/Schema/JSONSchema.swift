/// A JSON Schema of draft 2020-12, compiled once and applied to any number of values.
///
/// All vocabularies of the draft are known; those of meta-data and content only annotate and find
/// nothing, and what a custom metaschema leaves out by `$vocabulary` is left out. Numbers are compared
/// as exact decimals, lengths count code points, and of a doubled name the last member counts. Neither
/// compiling nor validating takes stack in proportion to the depth of a schema or value.
///
/// ```swift
/// let schema = try JSONSchema(JSONValue(parsing: #"{"properties": {"id": {"type": "integer"}}}"#))
/// schema.validate(["id": "7"])   // /id: expected an integer, found "7" (string)
/// ```
public struct JSONSchema: Sendable {
    let schemas: [Subschema]
    let resources: [SchemaResource]

    /// For each schema, whether its outcome is worth being remembered for when it is applied again.
    let areShared: [Bool]

    /// Compiles a schema and all that it refers to.
    ///
    /// - Parameters:
    ///   - schema: an object or a boolean; `$schema`, where it stands, names draft 2020-12 or a
    ///     metaschema that `resolving` gives.
    ///   - baseURI: where the schema came from; what relative references and a relative `$id` are
    ///     resolved against (RFC 3986 section 5).
    ///   - assertsFormats: whether `format` is checked; if not, it annotates only, as the draft has it
    ///     by default. Known are date-time, date, time, duration, email, hostname, ipv4, ipv6, uri,
    ///     uri-reference, uuid, json-pointer and regex; others are never checked.
    ///   - resolving: gives the schema of another URI, which comes without fragment; nil when there
    ///     is none. It is called once for each URI, before `init` returns and never later. The
    ///     metaschemas of the draft are built in.
    /// - Throws: the first mistake: a keyword whose value is of the wrong kind, a pattern that does not
    ///   compile, a reference that leads nowhere or to itself.
    public init(
        _ schema: JSONValue, at baseURI: String = "", assertsFormats: Bool = true,
        resolving: (String) throws -> JSONValue? = { _ in nil }
    ) throws(JSONSchemaError) {
        var index = try SchemaIndex(schema, at: baseURI)
        while let (uri, reference) = try index.nextMissingDocument() {
            try index.add(try Self.document(uri, for: reference, resolving), at: uri)
        }
        var schemas: [Subschema] = []
        schemas.reserveCapacity(index.places.count)
        for id in index.places.indices {
            var compiler = try SchemaCompiler(id, in: index, assertsFormats: assertsFormats)
            schemas.append(try compiler.compile())
        }
        self.schemas = schemas
        resources = index.resources
        let graph = SchemaGraph(schemas, resources)
        try graph.refuseEndlessReferences()
        areShared = graph.areShared
    }

    /// Finds where a value does not match; it matches when there are no findings.
    ///
    /// Takes time in proportion to the value times the schema at most, however references meet: a schema
    /// is applied once to each part. After an `anyOf` or `oneOf` that nothing matched come the findings
    /// of its branches.
    ///
    /// - Parameters:
    ///   - instance: The value.
    ///   - limit: How many findings are collected at most, at least one.
    public func validate(_ instance: JSONValue, limit: Int = 100) -> [JSONSchemaFinding] {
        var evaluation = SchemaEvaluation(of: self, in: instance.document, limit: max(limit, 1))
        return evaluation.failures(at: instance.index).map { finding($0, in: instance) }
    }

    private static func document(
        _ uri: String, for reference: SchemaReference, _ resolving: (String) throws -> JSONValue?
    ) throws(JSONSchemaError) -> JSONValue {
        if let text = Metaschema.text(uri), let metaschema = try? JSONValue(parsing: text) {
            return metaschema
        }
        let document: JSONValue?
        do {
            document = try resolving(uri)
        } catch {
            throw reference.error("the schema \(uri) cannot be had: \(error)")
        }
        guard let document else {
            throw reference.error(
                reference.source.name.string == "$schema"
                    ? "the metaschema \(uri) is not known; that of this draft is \(Metaschema.uri)"
                    : "there is no schema \(uri)")
        }
        return document
    }
}
