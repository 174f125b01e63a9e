import PipelineCore

/// Turns bytes into requests, however they are cut (RFC 9112).
struct RequestParser {
    /// The longest request line with its header fields, and the longest trailer.
    static let headLimit = 64 << 10
    /// The longest content.
    static let bodyLimit = 64 << 20

    private var input = InputBuffer()
    private var stage = Stage.requestLine
    private var head: RequestHead?
    private var body: [UInt8] = []
    /// What the lines of the head, of one chunk's size or of the trailer may still be long.
    private var lineAllowance = headLimit

    private enum Stage {
        case requestLine
        case fields
        case content(remaining: Int)
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case trailer
        /// Nothing can be understood any more: where the next request begins is unknown.
        case refused
    }

    /// What the bytes amount to.
    enum Event {
        /// The client waits for leave to send the content.
        case continueExpected
        case received(StubRequest, closesConnection: Bool)
        case refused(Refusal)
    }

    /// How many bytes wait to be parsed.
    var unparsedCount: Int { input.count }

    /// Takes what came; dropped after a refusal.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        if case .refused = stage { return }
        input.append(bytes)
    }

    /// The next event; `nil` when more bytes are needed.
    ///
    /// Requests that came behind are left alone until it is called again.
    mutating func next() -> Event? {
        do throws(Refusal) {
            while true {
                switch try step() {
                case .moved: continue
                case .needsInput: return nil
                case .event(let event): return event
                }
            }
        } catch {
            stage = .refused
            input = InputBuffer()
            return .refused(error)
        }
    }

    private enum Step {
        case moved
        case needsInput
        case event(Event)
    }

    private mutating func step() throws(Refusal) -> Step {
        switch stage {
        case .requestLine:
            guard let line = try takeLine() else { return .needsInput }
            // Empty lines before a request are skipped: RFC 9112, section 2.2.
            if line.isEmpty { return .moved }
            head = try RequestHead(requestLine: line)
            stage = .fields
        case .fields:
            guard let line = try takeLine() else { return .needsInput }
            if line.isEmpty { return try headEnded() }
            try head?.append(fieldLine: line)
        case .content(let remaining):
            guard let left = takeContent(remaining) else { return .needsInput }
            if left == 0 { return requestEnded() }
            stage = .content(remaining: left)
        case .chunkSize:
            guard let line = try takeLine() else { return .needsInput }
            let size = try chunkSize(line)
            stage = size == 0 ? .trailer : .chunk(remaining: size)
        case .chunk(let remaining):
            guard let left = takeContent(remaining) else { return .needsInput }
            stage = left == 0 ? .chunkEnd : .chunk(remaining: left)
        case .chunkEnd:
            guard let line = try takeLine() else { return .needsInput }
            guard line.isEmpty else { throw .badRequest("a chunk is longer than its size") }
            lineAllowance = Self.headLimit
            stage = .chunkSize
        case .trailer:
            guard let line = try takeLine() else { return .needsInput }
            if line.isEmpty { return requestEnded() }
        case .refused:
            return .needsInput
        }
        return .moved
    }

    private mutating func takeLine() throws(Refusal) -> ArraySlice<UInt8>? {
        guard let line = try input.takeLine(limit: lineAllowance) else { return nil }
        lineAllowance -= line.count + 2
        return line
    }

    /// Moves content that has come; returns how much is still missing, `nil` when none had come.
    private mutating func takeContent(_ remaining: Int) -> Int? {
        let content = input.take(atMost: remaining)
        if content.isEmpty { return nil }
        body.append(contentsOf: content)
        return remaining - content.count
    }

    private mutating func headEnded() throws(Refusal) -> Step {
        guard let head else { preconditionFailure("fields are read after a request line only") }
        lineAllowance = Self.headLimit
        switch try head.framing() {
        case .length(0):
            return requestEnded()
        case .length(let length):
            guard length <= Self.bodyLimit else { throw .bodyTooLarge }
            stage = .content(remaining: length)
        case .chunked:
            stage = .chunkSize
        }
        return head.expectsContinue ? .event(.continueExpected) : .moved
    }

    /// Reads the line before a chunk; extensions are ignored (RFC 9112, section 7.1.1).
    private func chunkSize(_ line: ArraySlice<UInt8>) throws(Refusal) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09 }
        guard !digits.isEmpty, digits.allSatisfy(\.isHexDigit) else {
            throw .badRequest("expected the size of a chunk in hexadecimal digits")
        }
        // Hexadecimal digits that are no Int are more than an Int holds.
        guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
            size <= Self.bodyLimit - body.count
        else { throw .bodyTooLarge }
        return size
    }

    private mutating func requestEnded() -> Step {
        guard let head else { preconditionFailure("a request ends after its head only") }
        let request = StubRequest(
            method: head.method, target: head.target, fields: head.fields, body: body)
        self.head = nil
        body = []
        lineAllowance = Self.headLimit
        stage = .requestLine
        return .event(.received(request, closesConnection: head.closesConnection))
    }
}

extension Refusal {
    fileprivate static var bodyTooLarge: Refusal {
        Refusal(413, "the content is longer than 64 MiB")
    }
}
