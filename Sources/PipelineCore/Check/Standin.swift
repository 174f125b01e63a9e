import PipelineJSON
struct JSONSchema: Sendable { struct F { let message: String }; func validate(_ v: JSONValue) -> [F] { [] } }
extension PipelineLoader { func schema(_ v: JSONValue) -> JSONSchema? { nil } }
extension ValueType { func accepts(_ v: JSONValue) -> Bool { true } }
