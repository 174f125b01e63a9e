public import Foundation
public import PipelineJSON

extension JSONValue {
    /// What a value is in JSON, for the body of a request or the variables of a pipeline.
    ///
    /// ```swift
    /// let request = try HTTPRequest.post("\(api)/users", json: JSONValue(encoding: user))
    /// ```
    ///
    /// - Parameters:
    ///   - value: Also a string, a number or an array.
    ///   - encoder: How dates, keys and the like are written.
    /// - Throws: What the encoder throws, such as `EncodingError` for a number that JSON does not have.
    public init(
        encoding value: some Encodable, using encoder: JSONEncoder = JSONEncoder()
    ) throws {
        try self.init(parsing: Array(encoder.encode(value)))
    }
}
