import PipelineCore

/// Reads well-formed XML 1.0 tag by tag, as reports need it: in UTF-8, without a document type.
///
/// Text is left as it stands, with its references; only their form is checked, and that tags match.
struct XMLScanner {
    private let bytes: [UInt8]
    private var offset = 0
    private var open: [String] = []
    private var hasRoot = false

    /// What comes next in a document.
    enum Token: Equatable {
        /// An element begins; `isEmpty` for one that is over at once.
        case start(String, [Attribute], isEmpty: Bool)
        case end(String)
        /// Text, a comment, or an instruction: nothing that reports look into.
        case other
    }

    /// An attribute with its value as it stands between the quotes.
    struct Attribute: Equatable {
        var name: String
        var value: String
    }

    /// What is wrong with a document.
    struct Failure: Error, Equatable {
        let message: String
        let line: Int
    }

    init(_ bytes: [UInt8]) throws(Failure) {
        self.bytes = bytes
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Failure(message: "expected UTF-8", line: 1)
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        try skipDeclaration()
    }

    /// Where the token after the last one begins.
    var position: Int { offset }

    /// The next token; `nil` at the end of the document.
    mutating func next() throws(Failure) -> Token? {
        guard offset < bytes.count else {
            guard open.isEmpty, hasRoot else { throw failure("the document is cut short") }
            return nil
        }
        guard bytes[offset] == UInt8(ascii: "<") else { return try text() }
        if take("<!--") { return try skip(to: "-->", "comment") }
        if take("<![CDATA[") {
            guard !open.isEmpty else { throw failure("text outside of the document's element") }
            return try skip(to: "]]>", "CDATA section")
        }
        if take("<?") { return try skip(to: "?>", "instruction") }
        if take("<!") { throw failure("a document type is not accepted") }
        if take("</") { return try endTag() }
        offset += 1
        return try startTag()
    }

    /// Refuses a document that says it is in another encoding (section 4.3.3).
    private mutating func skipDeclaration() throws(Failure) {
        let start = Array("<?xml".utf8)
        guard bytes[offset...].starts(with: start),
            bytes[(offset + start.count)...].first?.isXMLSpace ?? false
        else { return }
        offset += start.count
        while skipSpace(), !take("?>") {
            let attribute = try attribute()
            guard attribute.name != "encoding" || attribute.value.uppercased() == "UTF-8" else {
                throw failure("expected UTF-8, found the encoding \(attribute.value)")
            }
            if take("?>") { return }
        }
    }

    private mutating func text() throws(Failure) -> Token {
        let end = bytes[offset...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        let text = bytes[offset..<end]
        if open.isEmpty, !text.allSatisfy(\.isXMLSpace) {
            throw failure("text outside of the document's element")
        }
        try check(text)
        offset = end
        return .other
    }

    private mutating func skip(to end: String, _ what: String) throws(Failure) -> Token {
        let start = offset
        guard let range = bytes[offset...].firstRange(of: Array(end.utf8)) else {
            throw failure("the \(what) has no end")
        }
        offset = range.upperBound
        try check(bytes[start..<range.lowerBound], hasReferences: false)
        return .other
    }

    private mutating func startTag() throws(Failure) -> Token {
        let name = try name()
        guard !open.isEmpty || !hasRoot else { throw failure("a second element after the first") }
        hasRoot = true
        var attributes: [Attribute] = []
        while true {
            let hasSpace = skipSpace()
            if take("/>") { return .start(name, attributes, isEmpty: true) }
            if take(">") {
                open.append(name)
                return .start(name, attributes, isEmpty: false)
            }
            guard hasSpace else { throw failure("expected a space or the end of <\(name)>") }
            let attribute = try attribute()
            guard !attributes.contains(where: { $0.name == attribute.name }) else {
                throw failure("the attribute \(attribute.name) is there twice")
            }
            attributes.append(attribute)
        }
    }

    private mutating func attribute() throws(Failure) -> Attribute {
        let name = try name()
        _ = skipSpace()
        guard take("=") else { throw failure("expected = after \(name)") }
        _ = skipSpace()
        guard offset < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[offset])
        else { throw failure("expected the value of \(name) in quotes") }
        let quote = bytes[offset]
        guard let end = bytes[(offset + 1)...].firstIndex(of: quote) else {
            throw failure("the value of \(name) has no end")
        }
        let value = bytes[(offset + 1)..<end]
        guard !value.contains(UInt8(ascii: "<")) else { throw failure("< in the value of \(name)") }
        try check(value)
        offset = end + 1
        // Written again between double quotes; by bytes, as a mark after one makes it another
        // character.
        let text = value.flatMap { $0 == UInt8(ascii: "\"") ? Array("&quot;".utf8) : [$0] }
        return Attribute(name: name, value: String(decoding: text, as: UTF8.self))
    }

    private mutating func endTag() throws(Failure) -> Token {
        let name = try name()
        _ = skipSpace()
        guard take(">") else { throw failure("expected the end of </\(name)>") }
        guard open.popLast() == name else { throw failure("</\(name)> ends nothing") }
        return .end(name)
    }

    private mutating func name() throws(Failure) -> String {
        let name = bytes[offset...].prefix {
            $0 >= 0x80 || $0.isASCIILetter || $0.isASCIIDigit || "_:-.".utf8.contains($0)
        }
        guard let first = name.first,
            first >= 0x80 || first.isASCIILetter || "_:".utf8.contains(first)
        else { throw failure("expected a name") }
        offset = name.endIndex
        return String(decoding: name, as: UTF8.self)
    }

    private mutating func skipSpace() -> Bool {
        let end = bytes[offset...].firstIndex { !$0.isXMLSpace } ?? bytes.count
        defer { offset = end }
        return end > offset
    }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[offset...].starts(with: text.utf8) else { return false }
        offset += text.utf8.count
        return true
    }

    /// Refuses what no document may hold (sections 2.2, 2.4 and 4.1).
    private func check(
        _ text: ArraySlice<UInt8>, hasReferences: Bool = true
    ) throws(Failure) {
        let decoded = String(decoding: text, as: UTF8.self)
        guard decoded.unicodeScalars.allSatisfy(\.isAllowedInXML) else {
            throw failure("a character that XML does not allow")
        }
        guard hasReferences else { return }
        guard text.firstRange(of: Array("]]>".utf8)) == nil else {
            throw failure("]]> in text")
        }
        let parts = text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        for part in parts.dropFirst() {
            guard let end = part.firstIndex(of: UInt8(ascii: ";")),
                Self.isReference(String(decoding: part[..<end], as: UTF8.self)[...])
            else { throw failure("& that begins no reference") }
        }
    }

    private static func isReference(_ name: Substring) -> Bool {
        if ["lt", "gt", "amp", "quot", "apos"].contains(name) { return true }
        let isHexadecimal = name.hasPrefix("#x")
        guard name.hasPrefix("#"),
            let value = UInt32(
                name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
        else { return false }
        return Unicode.Scalar(value)?.isAllowedInXML ?? false
    }

    /// Something that is wrong where the scanner is.
    func failure(_ message: String) -> Failure {
        let line = bytes[..<min(offset, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1
        return Failure(message: message, line: line)
    }
}

extension UInt8 {
    fileprivate var isXMLSpace: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}
