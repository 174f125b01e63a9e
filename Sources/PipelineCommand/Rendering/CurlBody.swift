import PipelineCore

/// How the body of a request comes to curl.
struct CurlBody {
    /// The options, quoted.
    private(set) var words: [String] = []
    /// A command whose output is the body.
    private(set) var source: String?
    /// What the reader must know.
    private(set) var remark = ""
    /// The fields that curl makes itself.
    private(set) var replacedFields: [String] = []

    /// Larger bodies are left to standard input.
    private static let largestText = 8_192

    init(_ request: HTTPRequest, redact: @escaping (String) -> String) {
        guard let body = request.body else { return }
        if body.textSize <= Self.largestText, let type = request.fields["Content-Type"],
            let form = FormWords(type, body, redact: redact)
        {
            words = form.words
            replacedFields = ["Content-Type"]
            return
        }
        switch body {
        case .bytes(let bytes): take(bytes, redact)
        case .pieces(let pieces): take(pieces, redact)
        }
        if words.isEmpty {
            words = ["--data-binary", "@-"]
            if source == nil {
                remark = "   (with the body of \(ByteSize(body.size).shown) on standard input)"
            }
        }
    }

    private mutating func take(_ bytes: [UInt8], _ redact: (String) -> String) {
        guard let text = Self.text(bytes) else { return }
        let masked = redact(text)
        source = ShellText.printf(masked)
        if source == nil { words = ["--data-raw", ShellText.quoted(masked)] }
    }

    private mutating func take(
        _ pieces: [HTTPRequest.Body.Piece], _ redact: (String) -> String
    ) {
        if case .file(let path, _)? = pieces.first, pieces.count == 1 {
            words = ["--data-binary", ShellText.quoted("@" + redact(path))]
            return
        }
        var commands: [String] = []
        for piece in pieces {
            switch piece {
            case .file(let path, _): commands.append("cat \(ShellText.quoted(redact(path)))")
            case .bytes(let bytes):
                guard let text = Self.text(bytes).map(redact) else { return }
                commands.append(
                    ShellText.printf(text) ?? "printf %s \(ShellText.quoted(text))")
            }
        }
        source = "{ \(commands.joined(separator: "; ")); }"
    }

    private static func text(_ bytes: [UInt8]) -> String? {
        bytes.count <= largestText ? String(validating: bytes, as: UTF8.self) : nil
    }
}

extension HTTPRequest.Body {
    /// How many bytes it has, those of files not counted.
    fileprivate var textSize: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .pieces(let pieces):
            pieces.reduce(0) { sum, piece in
                if case .bytes(let bytes) = piece { sum + bytes.count } else { sum }
            }
        }
    }
}
