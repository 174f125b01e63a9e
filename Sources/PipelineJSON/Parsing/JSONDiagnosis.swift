/// Turns the place where the parser stopped into an error that says what to do about it.
///
/// None of this runs while a text is valid, so it may look at the text again and take its time.
struct JSONDiagnosis {
    enum Expected {
        case value, name, colon, separator, end
    }

    let source: [UInt8]

    init(_ source: [UInt8]) {
        self.source = source
    }

    /// An error at an offset, or that the text is not UTF-8 at all, when its first bytes show it.
    func error(_ message: String, at offset: Int) -> JSONError {
        if let encoding = wrongEncoding {
            return JSONError(
                message: "the text is \(encoding); save it as UTF-8", offset: 0,
                position: SourcePosition(line: 1, column: 1))
        }
        return JSONError(
            message: message, offset: offset, position: SourceLines(source).position(of: offset))
    }

    /// The error for a token that cannot stand here; `container` is the innermost one still open.
    func unexpected(at offset: Int, in container: JSONNode?, expected: Expected) -> JSONError {
        let previous = previousToken(before: offset)
        guard offset < source.count else {
            return endOfText(previous: previous, in: container, expected: expected)
        }
        let found = found(at: offset)
        if startsComment(at: offset) { return error("comments are not JSON", at: offset) }
        if previous == nil, let format = otherFormat(at: offset) {
            return error("expected a JSON value, found \(found); \(format)", at: offset)
        }
        if expected == .value || expected == .name {
            switch source[offset] {
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                guard let previous, source[previous] == UInt8(ascii: ",") else { break }
                return error("a comma may not stand before \(found)", at: previous)
            case UInt8(ascii: "'"):
                return error(
                    "strings stand in double quotes (\") in JSON, not in single ones", at: offset)
            case UInt8(ascii: "+"), UInt8(ascii: "."):
                guard expected == .value else { break }
                return error("a number begins with a digit or '-', not with \(found)", at: offset)
            default:
                guard let word = word(at: offset) else { break }
                return error(message(forWord: word, expected: expected), at: offset)
            }
        }
        let wanted = describe(expected, after: previous, in: container)
        return error("expected \(wanted), found \(found)", at: offset)
    }

    func tooDeep(at offset: Int) -> JSONError {
        error(
            "arrays and objects are nested more than \(JSONValue.maximumDepth) levels deep",
            at: offset)
    }

    func unterminated(string start: Int) -> JSONError {
        error("this string is not closed: expected '\"' before the end of the text", at: start)
    }

    func control(at offset: Int, in string: Int) -> JSONError {
        let byte = source[offset]
        let escape =
            byte.shortEscape.map { "\\" + String(UnicodeScalar($0)) } ?? "\\u00" + hex(byte)
        return switch byte {
        case 0x0A, 0x0D:
            error(
                "this string is not closed on its line; a line break in it is written \(escape)",
                at: string)
        case 0x09: error("a tab in a string is written \(escape)", at: offset)
        default:
            error(
                "\(found(at: offset)) may not stand in a string; it is written \(escape)",
                at: offset)
        }
    }

    func escape(at offset: Int, in string: Int) -> JSONError {
        guard offset + 1 < source.count else { return unterminated(string: string) }
        if source[offset + 1] == UInt8(ascii: "u") {
            return error("expected four hexadecimal digits after '\\u'", at: offset)
        }
        return error(
            "expected one of \" \\ / b f n r t u after '\\', found \(found(at: offset + 1))",
            at: offset)
    }

    func notUTF8(at offset: Int) -> JSONError {
        error("\(found(at: offset)); save the text as UTF-8", at: offset)
    }

    func leadingZero(at offset: Int) -> JSONError {
        error("a number may not begin with a zero before other digits", at: offset)
    }

    func missingDigit(at offset: Int, _ place: String) -> JSONError {
        if source[offset - 1] == UInt8(ascii: "-"), let word = word(at: offset) {
            return error("-\(word) is not a JSON number", at: offset - 1)
        }
        return error("expected a digit \(place), found \(found(at: offset))", at: offset)
    }
}

extension JSONDiagnosis {
    private subscript(_ offset: Int) -> UInt8 { offset < source.count ? source[offset] : 0 }

    private func previousToken(before offset: Int) -> Int? {
        let start = source.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        return source[start..<max(start, offset)].lastIndex { !$0.isJSONBlank }
    }

    private func endOfText(previous: Int?, in container: JSONNode?, expected: Expected) -> JSONError
    {
        guard let previous else {
            let isBlank = source.contains { $0.isJSONBlank }
            return error(
                "the text is \(isBlank ? "blank" : "empty"), expected a JSON value",
                at: source.count)
        }
        let wanted = describe(expected, after: previous, in: container)
        var message = "expected \(wanted), found the end of the text"
        if let container {
            let opening = SourceLines(source).position(of: Int(container.start))
            message += "; the \(container.kind.rawValue) that begins at line \(opening.line), "
            message += "column \(opening.column) is not closed"
        }
        return error(message, at: source.count)
    }

    private func describe(
        _ expected: Expected, after previous: Int?, in container: JSONNode?
    ) -> String {
        let follows = previous.map { source[$0] }
        return switch expected {
        case .value where previous == nil: "a JSON value"
        case .value where follows == UInt8(ascii: "["): "a value or ']'"
        case .value: "a value"
        case .name where follows == UInt8(ascii: "{"): "a name in double quotes or '}'"
        case .name: "a name in double quotes"
        case .colon: "':' after the name"
        case .separator where container?.isObject == true: "',' or '}' after a member"
        case .separator: "',' or ']' after an element"
        case .end: "the end of the text after the value"
        }
    }

    /// What stands at an offset, as a message shows it.
    private func found(at offset: Int) -> String {
        guard offset < source.count else { return "the end of the text" }
        let byte = source[offset]
        switch byte {
        case 0x21...0x7E: return "'\(UnicodeScalar(byte))'"
        case 0x20: return "a space"
        case 0x0A, 0x0D: return "a line break"
        case 0x09: return "a tab"
        case 0x80...: break
        default: return "the control character U+00\(hex(byte))"
        }
        var decoder = UTF8()
        var bytes = source[offset...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes) else {
            return "the byte 0x\(hex(byte)), which is not UTF-8"
        }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .unassigned,
            .privateUse, .nonspacingMark:
            return code
        default: return "'\(scalar)' (\(code))"
        }
    }

    private func startsComment(at offset: Int) -> Bool {
        switch (self[offset], self[offset + 1]) {
        case (UInt8(ascii: "#"), _): true
        case (UInt8(ascii: "/"), UInt8(ascii: "/")), (UInt8(ascii: "/"), UInt8(ascii: "*")): true
        default: false
        }
    }

    /// A run of letters as programming languages form names; nil when there is none.
    private func word(at offset: Int) -> String? {
        let letters = source[offset...].prefix { byte in
            byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        }
        guard let first = letters.first, !first.isDigit else { return nil }
        let next = self[letters.endIndex]
        let isWhole = letters.count <= 40 && (next <= 0x20 || ",:]}\"".utf8.contains(next))
        // A cut must be seen: what masks secrets looks for their beginnings there.
        return String(decoding: letters.prefix(40), as: UTF8.self) + (isWhole ? "" : "…")
    }

    private func message(forWord word: String, expected: Expected) -> String {
        if expected == .name { return "a name stands in double quotes: write \"\(word)\"" }
        return switch word.lowercased() {
        case "nan", "inf", "infinity": "\(word) is not a JSON number"
        case "true", "false", "null": "\(word) is written \(word.lowercased()) in JSON"
        case "none", "nil", "undefined": "\(word) is not JSON; an absent value is written null"
        default: "expected a value, found '\(word)'; a string stands in double quotes"
        }
    }

    private func otherFormat(at offset: Int) -> String? {
        let byte = source[offset]
        if byte == UInt8(ascii: "<") { return "this looks like HTML or XML" }
        let isControl = byte < 0x20 || byte == 0x7F
        return isControl || found(at: offset).hasPrefix("the byte")
            ? "this looks like binary data" : nil
    }

    /// The encoding that the first bytes give away: a JSON text begins with an ASCII character.
    private var wrongEncoding: String? {
        switch (self[0], self[1], self[2], self[3], source.count) {
        case (0xFF, 0xFE, 0, 0, 4...): "UTF-32 (little-endian)"
        case (0, 0, 0xFE, 0xFF, _): "UTF-32 (big-endian)"
        case (0xFF, 0xFE, _, _, _): "UTF-16 (little-endian)"
        case (0xFE, 0xFF, _, _, _): "UTF-16 (big-endian)"
        case (0, 0, 0, 1..., _): "UTF-32 (big-endian)"
        case (1..., 0, 0, 0, 4...): "UTF-32 (little-endian)"
        case (0, 0x20..., _, _, _): "UTF-16 (big-endian)"
        case (0x20..., 0, _, _, 2...): "UTF-16 (little-endian)"
        default: nil
        }
    }

    private func hex(_ byte: UInt8) -> String {
        (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
