import PipelineCore

/// Any bytes are a pipeline file: refused with places in it, or fit to be run as far as can be told
/// without a network.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(PipelineError) {
        let pipeline = try Pipeline(parsing: bytes, name: "f.json", folder: "/var/empty")
        let inputs = try pipeline.bind(baseURL: "http://localhost", environment: { _ in "value" })
        precondition(inputs.baseURL == "http://localhost")
        _ = try inputs.examples()
    } catch {
        precondition(!error.diagnostics.isEmpty && error.count >= error.diagnostics.count)
        for diagnostic in error.diagnostics {
            precondition(diagnostic.location.hasPrefix("f.json:"))
            precondition(!diagnostic.message.isEmpty)
        }
    }
    return 0
}
