import PipelineCore
import PipelineJSON

/// A file of values: a JSON object, or lines of `NAME=VALUE`.
enum VariablesFile {
    /// Reads the file at a path.
    ///
    /// - Throws: What is wrong and in which line, without the values.
    static func read(_ path: String) throws(UsageError) -> [String: JSONValue] {
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.read(path, limit: Pipeline.maximumFileSize)
        } catch {
            throw UsageError("--vars-file \(path): \(error.message)")
        }
        do {
            return try parse(bytes)
        } catch {
            throw UsageError("\(path):\(error.message)")
        }
    }

    /// Reads the content of a file; a byte order mark is skipped.
    static func parse(_ bytes: [UInt8]) throws(UsageError) -> [String: JSONValue] {
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        let isJSON = content.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
        return isJSON ? try object(bytes) : try lines(content)
    }

    private static func object(_ bytes: [UInt8]) throws(UsageError) -> [String: JSONValue] {
        let root: JSONValue
        do {
            root = try JSONValue(parsing: bytes)
        } catch {
            // The parser's own message would show a part of a value.
            throw UsageError("\(error.position): this is not JSON")
        }
        var values: [String: JSONValue] = [:]
        for member in root.members { values[member.name] = member.value.detached() }
        return values
    }

    private static func lines(
        _ content: ArraySlice<UInt8>
    ) throws(UsageError) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let bytes = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw UsageError("\(index + 1): expected UTF-8")
            }
            let start = text.drop { $0 == " " || $0 == "\t" }
            if start.isEmpty || start.hasPrefix("#") { continue }
            guard let (name, value) = text.splitAtEqualsSign else {
                throw UsageError("\(index + 1): expected NAME=VALUE, a comment or nothing")
            }
            let word = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard VariableName.isValid(word) else {
                throw UsageError("\(index + 1): \"\(word)\" is not the name of a variable")
            }
            values[word] = JSONValue(value)
        }
        return values
    }
}
