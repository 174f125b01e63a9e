import PipelineJSON

/// Whatever bytes come, they are refused with a place in them, or are a value that can be written,
/// read again, copied and hashed, and stays the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do {
        let value = try JSONValue(parsing: bytes)
        let copy = value.detached()
        precondition(copy == value && copy.hashValue == value.hashValue)
        _ = value.doubledNames()
        for text in [value.serialized(), Array(value.prettyPrinted().utf8)] {
            let read = try? JSONValue(parsing: text)
            precondition(read == value && read?.hashValue == value.hashValue)
        }
    } catch {
        precondition(0...count ~= error.offset && error.position.line > 0)
    }
    return 0
}
