/// Where the body of an exchange goes.
enum BodySink {
    case memory([UInt8])
    case file(BodyFile)
    /// Nowhere, because the response is only a step on the way; so many bytes have come.
    case nowhere(Int)

    /// How much of a body is read that nobody wants, so that its connection can be used again.
    static let unwantedLimit = 256 << 10

    /// Why no more of a body is taken.
    enum Refusal {
        case tooLarge
        case unwanted
        case notSaved(BodyFile.Failure)
    }

    /// Takes a part; returns why it does not.
    mutating func take(_ bytes: RawSpan, limit: Int) -> Refusal? {
        switch self {
        case .memory(var body):
            guard body.count + bytes.byteCount <= limit else { return .tooLarge }
            // Not held twice while it grows, which would copy it.
            self = .nowhere(0)
            bytes.withUnsafeBytes { body.append(contentsOf: $0) }
            self = .memory(body)
        case .file(let file):
            guard bytes.byteCount <= limit - file.size else { return .tooLarge }
            do {
                try file.append(bytes)
            } catch {
                return .notSaved(error)
            }
        case .nowhere(let count):
            guard count + bytes.byteCount <= Self.unwantedLimit else { return .unwanted }
            self = .nowhere(count + bytes.byteCount)
        }
        return nil
    }
}
