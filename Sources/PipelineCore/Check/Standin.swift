import PipelineJSON
struct RegularExpressionError: Error { let message: String }
struct RegularExpression: Sendable { let pattern: String; init(_ p: String) throws(RegularExpressionError) { pattern = p }
 func isFound(in: String) -> Bool { true }; struct Match { let groups: [Range<Int>?] }; func firstMatch(in: String) -> Match? { nil }
 static func escaped(_ s: String) -> String { s }; func replacingAll(in s: String, with: String) -> String { s } }
struct JSONSchema: Sendable { struct F { let message: String }; func validate(_ v: JSONValue) -> [F] { [] } }
extension PipelineLoader { func schema(_ v: JSONValue) -> JSONSchema? { nil } }
extension ValueType { func accepts(_ v: JSONValue) -> Bool { true } }

