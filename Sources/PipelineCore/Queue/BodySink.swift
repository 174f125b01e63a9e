/// Where the body of an exchange goes.
enum BodySink {
    case memory([UInt8])
    case file(BodyFile)
    /// Nowhere, because the response is only a step on the way; so many bytes have come.
    case nowhere(Int)

    /// How many bytes have come.
    var size: Int {
        switch self {
        case .memory(let body): body.count
        case .file(let file): file.size
        case .nowhere(let count): count
        }
    }

    /// How much of a body is read that nobody wants, so that its connection can be used again.
    static let unwantedLimit = 256 << 10

    /// Why no more of a body is taken.
    enum Refusal {
        case tooLarge
        case unwanted
        case notSaved(BodyFile.Failure)
    }

    /// What becomes of a part of the body.
    enum Taking {
        case taken
        case refused(Refusal)
        /// It is to be written, by somebody who holds no lock: a disk may take its time.
        case write(BodyFile, limit: Int)

        /// Writes the part if it is to be written; returns why it is not taken.
        func refusal(writing bytes: RawSpan) -> Refusal? {
            switch self {
            case .taken: return nil
            case .refused(let reason): return reason
            case .write(let file, let limit):
                guard bytes.byteCount <= limit - file.size else { return .tooLarge }
                do {
                    try file.append(bytes)
                    return nil
                } catch {
                    return .notSaved(error)
                }
            }
        }
    }

    /// Takes a part, unless it goes to a file.
    mutating func take(_ bytes: RawSpan, limit: Int) -> Taking {
        switch self {
        case .memory(var body):
            guard body.count + bytes.byteCount <= limit else { return .refused(.tooLarge) }
            // Not held twice while it grows, which would copy it.
            self = .nowhere(0)
            bytes.withUnsafeBytes { body.append(contentsOf: $0) }
            self = .memory(body)
        case .file(let file):
            return .write(file, limit: limit)
        case .nowhere(let count):
            guard count + bytes.byteCount <= Self.unwantedLimit else { return .refused(.unwanted) }
            self = .nowhere(count + bytes.byteCount)
        }
        return .taken
    }
}
