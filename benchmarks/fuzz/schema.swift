import PipelineJSON

/// The first line is a schema and the rest a value; both are compiled and checked twice with one outcome.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    guard let text = try? JSONValue(parsing: Array(line)) else { return -1 }
    do {
        let schema = try JSONSchema(text)
        guard let value = try? JSONValue(parsing: Array(bytes[line.endIndex...])) else { return 0 }
        let findings = schema.validate(value)
        let twin = try JSONSchema(text.detached())
        precondition(twin.validate(value.detached()) == findings)
        for finding in findings {
            precondition(finding.message.hasPrefix("expected "))
            precondition(finding.schemaLocation.contains("#"))
        }
    } catch {
        precondition(error.schemaLocation.contains("#"))
    }
    return 0
}
