import PipelineJSON

/// Why the body of a response could not be read as a type.
public struct BodyDecodingError: Error, CustomStringConvertible {
    /// The name of the request; `nil` when only a response was at hand.
    public let request: String?
    /// Where in the body, such as `items[2].name`; empty for the whole, and without a body.
    public let path: String
    /// What was expected and what was found: one sentence without a full stop.
    public let message: String
    /// What the decoder threw; `nil` when there was no body to decode.
    public let underlyingError: (any Error)?

    /// Request, place and message.
    public var description: String {
        [request, path.isEmpty ? nil : path, message].compactMap(\.self).joined(separator: ": ")
    }

    init(_ message: String, request: String) {
        self.request = request
        self.path = ""
        self.message = message
        self.underlyingError = nil
    }

    init(_ error: any Error, request: String?, body: [UInt8]) {
        self.request = request
        underlyingError = error
        guard let error = error as? DecodingError else {
            path = ""
            message = "\(error)"
            return
        }
        let context: DecodingError.Context
        switch error {
        case .keyNotFound(let key, let found):
            context = found
            message = "expected a member \"\(key.stringValue)\", found none"
        case .valueNotFound(let type, let found):
            context = found
            message = "expected \(type), found null"
        case .typeMismatch(_, let found), .dataCorrupted(let found):
            context = found
            // Of a text that is not JSON, our parser says where and what.
            message =
                found.codingPath.isEmpty
                ? Self.syntaxError(body) ?? found.withoutFullStop : found.withoutFullStop
        @unknown default:
            path = ""
            message = "\(error)"
            return
        }
        path = context.codingPath.reduce(into: "") { path, key in
            path +=
                key.intValue.map { "[\($0)]" }
                ?? (path.isEmpty ? "" : ".") + key.stringValue
        }
    }

    private static func syntaxError(_ body: [UInt8]) -> String? {
        do throws(JSONError) {
            _ = try JSONValue(parsing: body)
            return nil
        } catch {
            return error.description
        }
    }
}

extension DecodingError.Context {
    fileprivate var withoutFullStop: String {
        debugDescription.hasSuffix(".") ? String(debugDescription.dropLast()) : debugDescription
    }
}
