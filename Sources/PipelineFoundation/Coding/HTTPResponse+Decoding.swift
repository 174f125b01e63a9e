public import Foundation
public import PipelineCore

extension HTTPResponse {
    /// The body as a value of a type, read from JSON; one that was saved to a file is read from it.
    ///
    /// - Throws: ``BodyDecodingError``, which tells where in the body it does not fit.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws(BodyDecodingError) -> Value {
        try decode(type, using: decoder, request: nil)
    }

    fileprivate func decode<Value: Decodable>(
        _ type: Value.Type, using decoder: JSONDecoder, request: String?
    ) throws(BodyDecodingError) -> Value {
        do {
            let data = try savedBody.map { try Data(contentsOf: URL(filePath: $0.path)) }
            return try decoder.decode(type, from: data ?? Data(body))
        } catch {
            throw BodyDecodingError(error, request: request, body: body)
        }
    }
}

extension RequestRecord {
    /// The body of the response as a value of a type, read from JSON.
    ///
    /// ```swift
    /// queue.enqueue(record) { _, _ in
    ///     user = try? record.decode(User.self)
    /// }
    /// ```
    ///
    /// - Throws: ``BodyDecodingError``, which names the request and tells where in the body it does
    ///   not fit, or why there is no body.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws(BodyDecodingError) -> Value {
        guard let response else {
            let reason = cancellation?.description ?? error?.message
            throw BodyDecodingError(
                "there is no response" + (reason.map { ": \($0)" } ?? ""), request: name)
        }
        return try response.decode(type, using: decoder, request: name)
    }
}

extension RunResult {
    /// The body of a request's response as a value of a type, read from JSON.
    ///
    /// ```swift
    /// let user = try result.decode(User.self, from: "profile")
    /// ```
    ///
    /// - Parameters:
    ///   - type: What to read.
    ///   - request: The name of a request of the pipeline.
    ///   - decoder: How dates, keys and the like are read.
    /// - Throws: ``BodyDecodingError``, which names the request and tells where in the body it does
    ///   not fit, or why there is no body.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from request: String,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws(BodyDecodingError) -> Value {
        guard let result = self[request] else {
            throw BodyDecodingError("the pipeline has no request of this name", request: request)
        }
        guard let record = result.record else {
            throw BodyDecodingError("there is no response: it was skipped", request: request)
        }
        return try record.decode(type, using: decoder)
    }
}
