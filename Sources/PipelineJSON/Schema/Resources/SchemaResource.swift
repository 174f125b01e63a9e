/// A schema that has a URI, with the part of it that is not in a resource inside it.
struct SchemaResource: Sendable {
    /// Absolute if it is known, and without a fragment.
    let uri: String

    let root: JSONValue

    /// What the names of `$anchor` and `$dynamicAnchor` stand for.
    var anchors: [String: SchemaID] = [:]

    /// What the names of `$dynamicAnchor` alone stand for.
    var dynamicAnchors: [String: SchemaID] = [:]

    /// The URI of the metaschema, when it is not that of the draft.
    var metaschema: String?

    /// The URI of a part of this resource, as messages name it.
    func location(of part: JSONValue) -> String {
        var location = Array("\(uri)#".utf8)
        for byte in root.pointer(to: part) {
            if byte.isFragmentByte {
                location.append(byte)
            } else {
                location.append(contentsOf: (byte < 0x10 ? "%0" : "%").utf8)
                location.append(contentsOf: String(byte, radix: 16, uppercase: true).utf8)
            }
        }
        return String(decoding: location, as: UTF8.self)
    }
}

/// The place of a schema in `JSONSchema.schemas`.
typealias SchemaID = Int

/// Where a schema, itself or inside another, stands.
struct SchemaPlace: Sendable {
    let source: JSONValue

    /// The innermost resource around it, in `JSONSchema.resources`.
    let resource: Int
}

/// The value of a `$ref`, `$dynamicRef` or `$schema`.
struct SchemaReference {
    let source: JSONValue
    let base: SchemaResource

    /// The text of the reference resolved against its base.
    let target: URIReference

    init(_ source: JSONValue, in base: SchemaResource) throws(JSONSchemaError) {
        guard let text = source.string else {
            throw base.error("expected a URI reference, found \(source.found)", at: source)
        }
        self.source = source
        self.base = base
        target = URIReference(text).resolved(against: URIReference(base.uri))
    }

    func error(_ message: String) -> JSONSchemaError { base.error(message, at: source) }
}

extension SchemaResource {
    func error(_ message: String, at source: JSONValue) -> JSONSchemaError {
        JSONSchemaError(message: message, schemaLocation: location(of: source), source: source)
    }
}
