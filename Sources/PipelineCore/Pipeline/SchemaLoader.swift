import PipelineJSON

/// Reads and compiles the JSON Schemas that a pipeline names or holds, each file once.
///
/// A schema may refer to other files; all stay under the file root, and nothing is fetched over the
/// network.
struct SchemaLoader {
    private let files: FileRoot
    private var compiled: [String: JSONSchema] = [:]

    init(files: FileRoot) {
        self.files = files
    }

    /// Compiles the value of the key `schema`: a schema, or the name of a file.
    ///
    /// - Throws: ``FileBytes/Failure`` or `JSONSchemaError`.
    mutating func schema(_ value: JSONValue) throws -> JSONSchema {
        guard let name = value.string else {
            let base = (try? files.resolve(".")).map { Self.uri(ofFile: $0 + "/") } ?? ""
            return try JSONSchema(value.detached(), at: base) { [files] uri in
                try Self.read(uri, files)
            }
        }
        let path = try files.resolve(name)
        if let known = compiled[path] { return known }
        let schema = try JSONSchema(try Self.read(path: path), at: Self.uri(ofFile: path)) {
            [files] uri in try Self.read(uri, files)
        }
        compiled[path] = schema
        return schema
    }

    /// The schema that another one refers to; `nil` when it is not a local file.
    private static func read(_ uri: String, _ files: FileRoot) throws -> JSONValue? {
        guard uri.hasPrefix("file:///"),
            let path = PercentEncoding.decode(String(uri.dropFirst("file://".count)))
        else { return nil }
        return try read(path: try files.resolve(path))
    }

    private static func read(path: String) throws -> JSONValue {
        let bytes = try FileBytes.read(path, limit: Pipeline.maximumFileSize)
        do {
            return try JSONValue(parsing: bytes)
        } catch {
            throw FileBytes.Failure(message: "\(path):\(error.position): \(error.message)")
        }
    }

    /// The URI of a file (RFC 8089), with what may not stand in a path percent-encoded.
    private static func uri(ofFile path: String) -> String {
        var result = Array("file://".utf8)
        for part in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .enumerated()
        {
            if part.offset > 0 { result.append(UInt8(ascii: "/")) }
            PercentEncoding.append(encoding: part.element, to: &result)
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension PipelineLoader {
    /// Compiles a JSON Schema, or reports what is wrong with it.
    func schema(_ value: JSONValue) -> JSONSchema? {
        guard [.string, .object, .boolean].contains(value.kind) else { return nil }
        do {
            return try schemas.schema(value)
        } catch let error as FileBytes.Failure {
            report("schema: \(error.message)", value.sourceRange)
        } catch {
            report("schema: \(error)", value.sourceRange)
        }
        return nil
    }
}
