import PipelineCore

/// The request line and header fields of a request (RFC 9112, sections 3 and 5).
struct RequestHead {
    let method: String
    let target: String
    /// The digit after `HTTP/1.`.
    let minorVersion: UInt8
    private(set) var fields: HTTPFields = [:]

    /// Reads a request line.
    init(requestLine line: ArraySlice<UInt8>) throws(Refusal) {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isToken, !parts[1].isEmpty,
            parts[1].allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else {
            throw .badRequest("expected a request line: a method, a target and HTTP/1.1")
        }
        let version = parts[2]
        guard version.count == 8, version.starts(with: "HTTP/".utf8),
            let minor = version.last, minor.isASCIIDigit,
            version.dropLast().last == UInt8(ascii: ".")
        else {
            throw .badRequest("expected the version HTTP/1.1 at the end of the request line")
        }
        guard version.starts(with: "HTTP/1.".utf8) else {
            throw Refusal(505, "only HTTP/1.1 and HTTP/1.0 are spoken here")
        }
        method = String(decoding: parts[0], as: UTF8.self)
        target = String(decoding: parts[1], as: UTF8.self)
        minorVersion = minor - UInt8(ascii: "0")
    }

    /// Reads a field line.
    mutating func append(fieldLine line: ArraySlice<UInt8>) throws(Refusal) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line[..<colon].isToken else {
            throw .badRequest("expected a header field: a name, a colon and a value")
        }
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let value = line[(colon + 1)...].drop(while: isSpace)
        let end = value.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? value.startIndex
        guard !value.contains(where: { $0 == 0x0D || $0 == 0 }) else {
            throw .badRequest("a header field holds CR or NUL")
        }
        fields.append(
            HTTPField(
                name: String(decoding: line[..<colon], as: UTF8.self),
                value: String(decoding: value[..<end], as: UTF8.self)
            )
        )
    }

    /// How the end of the content is found.
    enum Framing {
        case length(Int)
        case chunked
    }

    /// How the content is framed, once all fields are there (RFC 9112, section 6.3).
    func framing() throws(Refusal) -> Framing {
        guard minorVersion == 0 || fields.values(of: "Host").count == 1 else {
            throw .badRequest("expected exactly one Host field")
        }
        let codings = fields.values(of: "Transfer-Encoding")
        let lengths = fields.values(of: "Content-Length")
        if !codings.isEmpty {
            // Both at once, or chunks in HTTP/1.0, is how requests are smuggled past a proxy.
            guard lengths.isEmpty, minorVersion > 0 else {
                throw .badRequest("Transfer-Encoding may not stand here")
            }
            guard codings.count == 1, HTTPFields.isSame(codings[0], "chunked") else {
                throw Refusal(501, "the only transfer coding understood is chunked")
            }
            return .chunked
        }
        guard let length = lengths.first else { return .length(0) }
        guard lengths.count == 1, !length.isEmpty, length.utf8.allSatisfy(\.isASCIIDigit) else {
            throw .badRequest("expected one Content-Length, a number of bytes")
        }
        // Digits alone that are no Int are more than an Int holds.
        return .length(Int(length) ?? .max)
    }

    /// Whether the client waits for `100 Continue` before it sends the content (RFC 9110, 10.1.1).
    var expectsContinue: Bool {
        minorVersion > 0
            && fields.values(of: "Expect").contains { HTTPFields.isSame($0, "100-continue") }
    }

    /// Whether the connection ends after the answer (RFC 9112, section 9.3).
    ///
    /// HTTP/1.0 always ends it: its `keep-alive` was an extension.
    var closesConnection: Bool {
        minorVersion == 0
            || fields.values(of: "Connection").contains { value in
                value.split(separator: ",").contains { option in
                    HTTPFields.isSame(String(option.filter { $0 != " " && $0 != "\t" }), "close")
                }
            }
    }
}
