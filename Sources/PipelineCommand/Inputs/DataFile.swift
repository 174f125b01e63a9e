import PipelineCore
import PipelineJSON

/// Values for several runs: each row of a CSV file, or each object of a JSON array.
struct DataFile: Sendable {
    /// The names of the variables, in the order in which the file first has them.
    let names: [String]
    /// What each run is given; at least one.
    let rows: [[String: JSONValue]]

    /// Reads the file at a path.
    ///
    /// - Throws: What is wrong and in which line, without the values.
    init(path: String) throws(UsageError) {
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.read(path, limit: Pipeline.maximumFileSize)
        } catch {
            throw UsageError("--data \(path): \(error.message)")
        }
        do throws(UsageError) {
            try self.init(bytes)
        } catch {
            throw UsageError("\(path):\(error.message)")
        }
    }

    /// Reads the content of a file; a byte order mark is skipped.
    init(_ bytes: [UInt8]) throws(UsageError) {
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        // No variable is called so: what begins with a bracket or a brace is JSON.
        let first = content.first { !" \t\r\n".utf8.contains($0) }
        let isJSON = first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
        (names, rows) = isJSON ? try Self.objects(bytes) : try Self.table(content)
        guard !rows.isEmpty else { throw UsageError("1: there is no row to run with") }
    }

    private static func objects(
        _ bytes: [UInt8]
    ) throws(UsageError) -> ([String], [[String: JSONValue]]) {
        let root: JSONValue
        do {
            root = try JSONValue(parsing: bytes)
        } catch {
            // The parser's own message would show a part of a value.
            throw UsageError("\(error.position): this is not JSON")
        }
        guard root.kind == .array else {
            throw UsageError("1: expected an array of objects, found \(root.kind.described)")
        }
        var names: [String] = []
        var rows: [[String: JSONValue]] = []
        for (index, element) in root.elements.enumerated() {
            guard element.kind == .object else {
                throw UsageError(
                    "1: expected an array of objects, found \(element.kind.described) at [\(index)]"
                )
            }
            var row: [String: JSONValue] = [:]
            for member in element.members {
                row[member.name] = member.value.detached()
                if !names.contains(member.name) { names.append(member.name) }
            }
            rows.append(row)
        }
        return (names, rows)
    }

    private static func table(
        _ content: ArraySlice<UInt8>
    ) throws(UsageError) -> ([String], [[String: JSONValue]]) {
        let all: [CommaSeparatedValues.Row]
        do {
            all = try CommaSeparatedValues.rows(of: content)
        } catch {
            throw UsageError("\(error.line): \(error.message)")
        }
        guard let header = all.first else { return ([], []) }
        for (column, name) in header.cells.enumerated() {
            guard VariableName.isValid(name) else {
                throw UsageError(
                    "\(header.line): \"\(name)\" is not the name of a variable; the first row names "
                        + "them")
            }
            guard !header.cells[..<column].contains(name) else {
                throw UsageError("\(header.line): there are two columns \"\(name)\"")
            }
        }
        var rows: [[String: JSONValue]] = []
        for row in all.dropFirst() {
            guard row.cells.count == header.cells.count else {
                throw UsageError(
                    "\(row.line): expected as many cells as in the first row, "
                        + "\(header.cells.count), found \(row.cells.count)")
            }
            rows.append(
                Dictionary(uniqueKeysWithValues: zip(header.cells, row.cells.map { JSONValue($0) }))
            )
        }
        return (header.cells, rows)
    }
}
