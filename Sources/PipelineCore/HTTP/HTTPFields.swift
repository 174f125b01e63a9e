/// One header field line: a name and its value (RFC 9110, section 5).
public struct HTTPField: Sendable, Hashable {
    /// The name as it was written; names are compared without regard to case.
    public var name: String
    /// The value without the white space around it.
    public var value: String

    /// A field of this name and value, neither of them checked.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// Header fields in the order they were written, repeated lines kept apart (RFC 9110, section 5.3).
///
/// Lines of one name are never joined: `Set-Cookie` could not be split again.
public struct HTTPFields: Sendable, Hashable {
    private var lines: [HTTPField]

    /// The fields in this order.
    public init(_ lines: [HTTPField] = []) {
        self.lines = lines
    }

    /// The value of the first line of that name, compared without regard to case.
    ///
    /// Setting replaces every line of the name by one, at the place of the first; `nil` removes
    /// them all.
    public subscript(name: String) -> String? {
        get { lines.first { Self.isSame($0.name, name) }?.value }
        set {
            let first = lines.firstIndex { Self.isSame($0.name, name) }
            lines.removeAll { Self.isSame($0.name, name) }
            guard let newValue else { return }
            lines.insert(HTTPField(name: name, value: newValue), at: first ?? lines.endIndex)
        }
    }

    /// The values of all lines of that name, in order.
    public func values(of name: String) -> [String] {
        lines.filter { Self.isSame($0.name, name) }.map(\.value)
    }

    /// Adds a line after the others, whether or not the name is there already.
    public mutating func append(_ field: HTTPField) {
        lines.append(field)
    }

    /// Whether two field names are the same one: ASCII letters match in either case.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        // Most differ in length, which is known at once.
        one.utf8.count == other.utf8.count
            && zip(one.utf8, other.utf8).allSatisfy {
                $0 == $1 || $0.lowercasedASCII == $1.lowercasedASCII
            }
    }
}

extension HTTPFields: RandomAccessCollection {
    /// The place of the first line.
    public var startIndex: Int { lines.startIndex }
    /// The place after the last line.
    public var endIndex: Int { lines.endIndex }
    /// The line at that place.
    public subscript(position: Int) -> HTTPField { lines[position] }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// One line for each pair, in the order written.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { HTTPField(name: $0.0, value: $0.1) })
    }
}

extension HTTPFields {
    /// Reads header lines as they came over the wire, each ended by LF or CR LF.
    ///
    /// Bytes that are not UTF-8 become U+FFFD; lines without a colon are left out, as are the
    /// status line and the empty line at the end.
    package init(wire: [UInt8]) {
        var lines: [HTTPField] = []
        // As many as most messages have.
        lines.reserveCapacity(16)
        var start = 0
        while start < wire.count {
            let end = wire[start...].firstIndex(of: UInt8(ascii: "\n")) ?? wire.count
            let line = wire[start..<end]
            start = end + 1
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            lines.append(
                HTTPField(
                    name: String(decoding: line[..<colon].trimmingWhitespace, as: UTF8.self),
                    value: String(
                        decoding: line[(colon + 1)...].trimmingWhitespace, as: UTF8.self)))
        }
        self.init(lines)
    }
}
