/// Finds all schemas in the documents that a schema consists of, and what their references lead to.
///
/// Schemas are looked for where a keyword of the draft puts them; what stands under any other keyword
/// becomes one when a reference points there.
struct SchemaIndex {
    private(set) var places: [SchemaPlace] = []
    private(set) var resources: [SchemaResource] = []
    private var ids: [NodeKey: SchemaID] = [:]
    private var resourcesByURI: [String: Int] = [:]

    /// All references, and the schemas that the first of them lead to.
    private var references: [SchemaReference] = []
    private var targets: [NodeKey: SchemaID] = [:]
    private var followed = 0

    init(_ schema: JSONValue, at uri: String) throws(JSONSchemaError) {
        let base = URIReference(uri).resolved(against: URIReference(""))
        try add(schema, at: base.textWithoutFragment)
    }

    /// Adds a document that came from this URI; its `$id` may say another one.
    mutating func add(_ document: JSONValue, at uri: String) throws(JSONSchemaError) {
        if let id = id(of: document) {
            resourcesByURI[uri] = places[id].resource
            return
        }
        let resource = try enter(document, in: SchemaResource(uri: uri, root: document))
        resourcesByURI[uri] = resourcesByURI[uri] ?? resource
        try scan(document, in: resource)
    }

    /// The URI of a document that is referred to and not here, with the reference.
    mutating func nextMissingDocument() throws(JSONSchemaError) -> (String, SchemaReference)? {
        while followed < references.count {
            let reference = references[followed]
            let uri = reference.target.textWithoutFragment
            guard let resource = resourcesByURI[uri] else { return (uri, reference) }
            followed += 1
            let (target, around) = try find(reference, in: resource)
            try scan(target, in: around)
            targets[NodeKey(reference.source)] = id(of: target)
        }
        return nil
    }

    /// The schema that a `$ref` or `$dynamicRef` leads to, once all documents are here.
    func target(of reference: JSONValue) -> SchemaID? { targets[NodeKey(reference)] }

    func id(of schema: JSONValue) -> SchemaID? { ids[NodeKey(schema)] }

    /// The document of a metaschema, once it is here.
    func metaschema(_ uri: String) -> JSONValue? { resourcesByURI[uri].map { resources[$0].root } }

    private func find(
        _ reference: SchemaReference, in resource: Int
    ) throws(JSONSchemaError) -> (target: JSONValue, resource: Int) {
        let fragment = (reference.target.fragment ?? "").percentDecoded
        if let first = fragment.first, first != UInt8(ascii: "/") {
            let anchor = String(decoding: fragment, as: UTF8.self)
            guard let id = resources[resource].anchors[anchor] else {
                throw reference.error("there is no anchor \(anchor) in this resource")
            }
            return (places[id].source, places[id].resource)
        }
        guard let path = JSONPointer.path(fragment, from: resources[resource].root),
            let target = path.last
        else { throw reference.error("there is nothing at this JSON Pointer") }
        let around = path.last { id(of: $0) != nil }.flatMap(id(of:))
        return (target, around.map { places[$0].resource } ?? resource)
    }
}

extension SchemaIndex {
    private mutating func scan(
        _ schema: JSONValue, in resource: Int
    ) throws(JSONSchemaError) {
        var found = [SchemaPlace(source: schema, resource: resource)]
        while let place = found.popLast() {
            let schema = place.source
            guard id(of: schema) == nil else { continue }
            var resource = place.resource
            if schema.kind == .object {
                if !resources[resource].isRoot(schema), schema["$id"] != nil {
                    resource = try enter(schema, in: resources[resource])
                }
            } else if schema.kind != .boolean {
                throw resources[resource].error(
                    "expected a schema (object or boolean), found \(schema.found)", at: schema)
            }
            let id = places.count
            ids[NodeKey(schema)] = id
            places.append(SchemaPlace(source: schema, resource: resource))
            try addAnchors(of: schema, id)
            for name in ["$ref", "$dynamicRef"] {
                guard let source = schema[name] else { continue }
                references.append(try SchemaReference(source, in: resources[resource]))
            }
            for value in try Subschemas.of(schema, in: resources[resource]).reversed() {
                found.append(SchemaPlace(source: value, resource: resource))
            }
        }
    }

    /// Adds the resource that a schema with an `$id`, or a whole document, is the root of.
    private mutating func enter(
        _ schema: JSONValue, in outer: SchemaResource
    ) throws(JSONSchemaError) -> Int {
        var uri = outer.uri
        if let source = schema["$id"] {
            let reference = try SchemaReference(source, in: outer)
            guard reference.target.fragment ?? "" == "" else {
                throw outer.error("an $id has no fragment; $anchor gives a name", at: source)
            }
            uri = reference.target.textWithoutFragment
            if let other = resourcesByURI[uri], !resources[other].isRoot(schema) {
                throw outer.error("there is another schema with the URI \(uri)", at: source)
            }
        }
        var resource = SchemaResource(uri: uri, root: schema, metaschema: outer.metaschema)
        if let source = schema["$schema"] {
            let reference = try SchemaReference(source, in: resource)
            let metaschema = reference.target.textWithoutFragment
            resource.metaschema = metaschema == Metaschema.uri ? nil : metaschema
            if resource.metaschema != nil { references.append(reference) }
        }
        resourcesByURI[uri] = resources.count
        resources.append(resource)
        return resources.count - 1
    }

    private mutating func addAnchors(
        of schema: JSONValue, _ id: SchemaID
    ) throws(JSONSchemaError) {
        let resource = places[id].resource
        for name in ["$anchor", "$dynamicAnchor"] {
            guard let source = schema[name] else { continue }
            guard let anchor = source.string, anchor.isAnchor else {
                throw resources[resource].error(
                    "expected a name of letters, digits, '-', '_' and '.', found \(source.found)",
                    at: source)
            }
            let other = resources[resource].anchors.updateValue(id, forKey: anchor)
            guard other == nil || other == id else {
                throw resources[resource].error(
                    "there is another \(anchor) in this resource", at: source)
            }
            if name == "$dynamicAnchor" { resources[resource].dynamicAnchors[anchor] = id }
        }
    }
}

extension SchemaResource {
    fileprivate func isRoot(_ schema: JSONValue) -> Bool { NodeKey(root) == NodeKey(schema) }
}

/// The identity of a value: the same part of the same text.
private struct NodeKey: Hashable {
    private let document: ObjectIdentifier
    private let index: Int

    init(_ value: JSONValue) {
        document = ObjectIdentifier(value.document)
        index = value.index
    }
}

extension String {
    fileprivate var isAnchor: Bool {
        guard let first = utf8.first, first.isLetter || first == UInt8(ascii: "_") else {
            return false
        }
        return utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.".utf8.contains($0) }
    }
}

extension Substring {
    /// The bytes with what `%XX` stands for; a `%` that is not followed by two digits stays.
    fileprivate var percentDecoded: [UInt8] {
        var decoded: [UInt8] = []
        var rest = utf8
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap(\.hexadecimalValue)
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                decoded.append(UInt8(digits[0] << 4 | digits[1]))
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }
}
