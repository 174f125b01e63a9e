import PipelineCore

/// Puts the head of a response together from its lines.
///
/// An interim head (1xx) is forgotten when it ends, and lines after the final one, the trailer
/// section, are not looked at (RFC 9110, sections 15.2 and 6.5).
struct HeadCollector {
    private(set) var status = 0
    /// Whether the final head has come whole.
    private(set) var isComplete = false
    /// What is wrong with it that libcurl does not mind.
    private(set) var fault: String?
    private var version = ""
    private var length: Int?
    private var fields: [UInt8] = []
    private var isTaken = false

    /// Whether any line has come.
    var isBegun: Bool { status != 0 }

    /// Takes a line with its line break, or without one; returns whether it ended the final head.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
        guard !isComplete, let first = line.first else { return false }
        switch first {
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            isComplete = status >= 200
            return isComplete
        case UInt8(ascii: " "), UInt8(ascii: "\t"):
            unfold()
            fields.append(contentsOf: line)
        case UInt8(ascii: "H") where line.starts(with: "HTTP/".utf8):
            takeStatusLine(line)
        case UInt8(ascii: "C"), UInt8(ascii: "c"):
            checkLength(line)
            fields.append(contentsOf: line)
        default:
            fields.append(contentsOf: line)
        }
        return false
    }

    /// The head when it is complete; once only.
    mutating func takeHead() -> HTTPResponse.Head? {
        guard isComplete, !isTaken else { return nil }
        isTaken = true
        return HTTPResponse.Head(status: status, version: version, wireFields: fields)
    }

    /// The values of the fields of that name that have come so far.
    func values(of name: String) -> [String] {
        HTTPFields(wire: fields).values(of: name)
    }

    /// Reads a line such as `HTTP/1.1 200 OK` or `HTTP/2 200`.
    private mutating func takeStatusLine(_ line: UnsafeRawBufferPointer) {
        let versionStart = 5
        let versionEnd = line.firstIndex(of: UInt8(ascii: " ")) ?? line.endIndex
        version = String(decoding: line[versionStart..<versionEnd], as: UTF8.self)
        status = 0
        length = nil
        for byte in line[versionEnd...].dropFirst().prefix(3) {
            guard byte.isASCIIDigit else { break }
            status = status * 10 + Int(byte - UInt8(ascii: "0"))
        }
        fields.removeAll(keepingCapacity: true)
        fields.reserveCapacity(512)
    }

    /// Refuses lengths that contradict each other, and those that nobody can count to: where the body
    /// ends would be anybody's guess (RFC 9112, section 6.3).
    private mutating func checkLength(_ line: UnsafeRawBufferPointer) {
        let name: StaticString = "content-length:"
        guard line.count > name.utf8CodeUnitCount,
            name.withUTF8Buffer({ zip($0, line).allSatisfy { $0 == $1.lowercasedASCII } })
        else { return }
        let value = line[name.utf8CodeUnitCount...].drop { $0 == 0x20 || $0 == 0x09 }
        let digits = value.prefix(while: \.isASCIIDigit)
        // What is no number libcurl refuses itself.
        guard !digits.isEmpty else { return }
        guard let number = Int(String(decoding: digits, as: UTF8.self)) else {
            fault = "a Content-Length of \(digits.count) digits"
            return
        }
        if let length, length != number {
            fault = "a Content-Length of \(length) and one of \(number)"
        }
        length = number
    }

    /// A line that goes on in the next one (RFC 9112, section 5.2) loses its line break.
    private mutating func unfold() {
        while let last = fields.last, last == UInt8(ascii: "\r") || last == UInt8(ascii: "\n") {
            fields.removeLast()
        }
    }
}
