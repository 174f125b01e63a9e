import PipelineCore

/// A form with files as `-F` options, which makes curl write the same parts between boundaries of
/// its own.
struct FormWords {
    /// Quoted.
    private(set) var words: [String] = []
    private var pieces: ArraySlice<HTTPRequest.Body.Piece>
    private var rest: ArraySlice<UInt8> = []
    private let delimiter: String
    private let redact: (String) -> String

    /// `nil` for what is no form, and for a form that `-F` cannot say.
    init?(
        _ contentType: String, _ body: HTTPRequest.Body, redact: @escaping (String) -> String
    ) {
        let start = "multipart/form-data; boundary="
        guard contentType.hasPrefix(start) else { return nil }
        delimiter = "--" + contentType.dropFirst(start.count)
        self.redact = redact
        switch body {
        case .bytes(let bytes): pieces = [.bytes(bytes)]
        case .pieces(let all): pieces = all[...]
        }
        guard nextBytes() else { return nil }
        while !take("\(delimiter)--\r\n") {
            guard take("\(delimiter)\r\n"), let part = takePart() else { return nil }
            words += part
        }
    }

    /// Reads one part, and writes it.
    private mutating func takePart() -> [String]? {
        guard take("Content-Disposition: form-data; name=\""), let name = takeText(before: "\"")
        else { return nil }
        let filename = take("; filename=\"") ? takeText(before: "\"") : nil
        guard take("\r\n") else { return nil }
        let type = take("Content-Type: ") ? takeText(before: "\r\n") : nil
        // To curl, the name ends at the first equals sign.
        guard take("\r\n"), !name.isEmpty, !name.contains("=") else { return nil }
        if rest.isEmpty, case .file(let path, _)? = pieces.popFirst() {
            guard nextBytes(), take("\r\n"), let type, Self.isPlain(type), let filename else {
                return nil
            }
            return word(
                "-F", "\(name)=@\(inQuotes(path));type=\(type);filename=\(inQuotes(filename))")
        }
        guard let text = takeText(before: "\r\n\(delimiter)", leaving: delimiter.utf8.count) else {
            return nil
        }
        guard let type else {
            return filename == nil ? word("--form-string", "\(name)=\(text)") : nil
        }
        guard Self.isPlain(type) else { return nil }
        let file = filename.map { ";filename=\(inQuotes($0))" } ?? ""
        return word("-F", "\(name)=\(inQuotes(text));type=\(type)\(file)")
    }

    /// `nil` for what cannot be written where it would be seen.
    private func word(_ option: String, _ text: String) -> [String]? {
        let masked = redact(text)
        return ShellText.printf(masked) == nil ? [option, ShellText.quoted(masked)] : nil
    }

    /// As curl reads a value that may hold a semicolon or a comma.
    private func inQuotes(_ text: String) -> String {
        // Masked first: quoting would change a secret's form.
        "\"" + redact(text).flatMap { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" } + "\""
    }

    /// Whether curl takes the media type as it is.
    private static func isPlain(_ type: String) -> Bool {
        type.utf8.allSatisfy { $0.isTokenCharacter || $0 == UInt8(ascii: "/") }
    }
}

// Reading the body.
extension FormWords {
    private mutating func nextBytes() -> Bool {
        guard case .bytes(let bytes)? = pieces.popFirst() else { return false }
        rest = bytes[...]
        return true
    }

    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    /// Takes text and what ends it, but for so many bytes of that.
    private mutating func takeText(before end: String, leaving count: Int = 0) -> String? {
        guard let range = rest.firstRange(of: Array(end.utf8)) else { return nil }
        let text = String(validating: rest[..<range.lowerBound], as: UTF8.self)
        rest = rest[(range.upperBound - count)...]
        return text
    }
}
