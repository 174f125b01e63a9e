/// A format of texts, with the specification that says what is one.
///
/// The raw value is its name in JSON Schema (validation, section 7.3). Nothing is trimmed or repaired.
package enum TextFormat: String, Sendable, CaseIterable {
    /// RFC 3339 section 5.6; a leap second only at the end of a month in UTC.
    case dateTime = "date-time"
    /// `full-date` of RFC 3339 section 5.6.
    case date
    /// `full-time` of RFC 3339 section 5.6: it has an offset.
    case time
    /// RFC 3339 appendix A.
    case duration
    /// `Mailbox` of RFC 5321 section 4.1.2.
    case email
    /// RFC 1123 section 2.1; A-labels are those of RFC 5890.
    case hostname
    /// RFC 2673 section 3.2: four decimal numbers without leading zeros.
    case ipv4
    /// RFC 4291 section 2.2, without a zone or prefix length.
    case ipv6
    /// RFC 3986 section 3: with a scheme.
    case uri
    /// RFC 3986 section 4.1.
    case uriReference = "uri-reference"
    /// RFC 9562 section 4, of any version and variant.
    case uuid
    /// RFC 6901 section 3.
    case jsonPointer = "json-pointer"
    /// ECMA-262 section 22.2.1, as far as `RegularExpression` knows it.
    case regex

    /// Whether the whole text has this format.
    package func matches(_ text: String) -> Bool {
        let bytes = Array(text.utf8)[...]
        return switch self {
        case .dateTime: DateText.isDateTime(bytes)
        case .date: DateText.isDate(bytes)
        case .time: DateText.isTime(bytes)
        case .duration: DateText.isDuration(bytes)
        case .email: AddressText.isMailbox(bytes)
        case .hostname: AddressText.isHostname(bytes)
        case .ipv4: AddressText.isIPv4(bytes)
        case .ipv6: AddressText.isIPv6(bytes)
        case .uri: URIText.isReference(text, needsScheme: true)
        case .uriReference: URIText.isReference(text, needsScheme: false)
        case .uuid: Self.isUUID(bytes)
        case .jsonPointer: Self.isJSONPointer(bytes)
        case .regex: (try? RegularExpression(text)) != nil
        }
    }

    /// The format with its article, for a message: `a date-time (RFC 3339)`.
    package var expectation: String {
        switch self {
        case .dateTime: "a date-time (RFC 3339), as in 2026-01-31T12:00:00Z"
        case .date: "a date (RFC 3339), as in 2026-01-31"
        case .time: "a time with an offset (RFC 3339), as in 12:00:00Z"
        case .duration: "a duration (RFC 3339, appendix A), as in P1DT12H"
        case .email: "an email address (RFC 5321)"
        case .hostname: "a host name (RFC 1123)"
        case .ipv4: "an IPv4 address"
        case .ipv6: "an IPv6 address (RFC 4291)"
        case .uri: "a URI with a scheme (RFC 3986)"
        case .uriReference: "a URI reference (RFC 3986)"
        case .uuid: "a UUID (RFC 9562)"
        case .jsonPointer: "a JSON Pointer (RFC 6901)"
        case .regex: "a regular expression (ECMA-262)"
        }
    }

    private static func isUUID(_ text: ArraySlice<UInt8>) -> Bool {
        let groups = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12]
            && groups.joined().allSatisfy { $0.hexadecimalValue != nil }
    }

    private static func isJSONPointer(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.isEmpty || text.first == UInt8(ascii: "/") else { return false }
        return text.indices.allSatisfy { index in
            guard text[index] == UInt8(ascii: "~") else { return true }
            let next = text[(index + 1)...].first
            return next == UInt8(ascii: "0") || next == UInt8(ascii: "1")
        }
    }
}

/// What is left of a text that is read from its start.
struct TextScanner {
    private(set) var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) {
        rest = text
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Steps over an ASCII character; over a letter in either case.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let byte = rest.first else { return false }
        let expected = UInt8(ascii: character)
        guard byte == expected || expected.isLetter && byte ^ 0x20 == expected else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// The number that exactly this many digits give.
    mutating func number(digits count: Int, in range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int($1 & 0xF) }
        guard range ~= number else { return nil }
        rest = rest.dropFirst(count)
        return number
    }

    /// Steps over digits; false when there are none.
    mutating func skipDigits() -> Bool {
        let digits = rest.prefix(while: \.isDigit)
        rest = rest[digits.endIndex...]
        return !digits.isEmpty
    }
}
