/// A form with files: the parts of a `multipart/form-data` body in order (RFC 7578).
///
/// The content of files is not read here: a transport reads them while it sends.
package struct MultipartBody: Sendable, Hashable {
    /// The parts in the order they are sent; several may have one name.
    package var parts: [Part]

    /// A body of these parts.
    package init(_ parts: [Part]) {
        self.parts = parts
    }

    /// One field or file of a form.
    package struct Part: Sendable, Hashable {
        /// The name of the form's field.
        package var name: String
        /// What a file is called; `nil` for a plain field.
        package var filename: String?
        /// The media type; `nil` writes none, which means text (RFC 7578, section 4.4).
        package var contentType: String?
        /// The bytes, or the file that holds them.
        package var content: HTTPRequest.Body.Piece

        /// A part of that name.
        package init(
            name: String, filename: String? = nil, contentType: String? = nil,
            content: HTTPRequest.Body.Piece
        ) {
            self.name = name
            self.filename = filename
            self.contentType = contentType
            self.content = content
        }
    }

    /// Gives the body the form that is sent.
    ///
    /// Bytes that follow each other are one piece; without a file, the body is just bytes.
    ///
    /// - Parameter boundary: What separates the parts: 1 to 70 letters, digits and `'+_-.`
    ///   (RFC 2046, section 5.1.1, without those that would have to be quoted). It has to be random
    ///   enough not to be in any content, which is not looked into.
    /// - Returns: The body, and the value of the `Content-Type` field that belongs to it.
    /// - Throws: ``MultipartError``, for a part or a boundary that would break the format.
    package func render(
        boundary: String
    ) throws(MultipartError) -> (body: HTTPRequest.Body, contentType: String) {
        guard 1...70 ~= boundary.utf8.count, boundary.utf8.allSatisfy(Self.isBoundaryCharacter)
        else { throw .invalidBoundary }
        var pieces: [HTTPRequest.Body.Piece] = []
        var bytes: [UInt8] = []
        for part in parts {
            bytes += "--\(boundary)\r\n\(try part.head())\r\n".utf8
            switch part.content {
            case .bytes(let content):
                bytes += content
            case .file:
                pieces += [.bytes(bytes), part.content]
                bytes = []
            }
            bytes += "\r\n".utf8
        }
        bytes += "--\(boundary)--\r\n".utf8
        let body: HTTPRequest.Body =
            pieces.isEmpty ? .bytes(bytes) : .pieces(pieces + [.bytes(bytes)])
        return (body, "multipart/form-data; boundary=\(boundary)")
    }

    private static func isBoundaryCharacter(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "'+_-.".utf8.contains(byte)
    }
}

extension MultipartBody.Part {
    /// The header lines of the part, each with its line break.
    fileprivate func head() throws(MultipartError) -> String {
        var disposition = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
        if let filename {
            disposition += "; filename=\"\(Self.escaped(filename))\""
        }
        // NUL ends the text for receivers written in C; no form means it.
        guard !disposition.utf8.contains(0) else { throw .nullInName(part: name) }
        guard let contentType else { return "\(disposition)\r\n" }
        guard !contentType.utf8.contains(where: \.isLineBreakOrNull) else {
            throw .invalidContentType(part: name)
        }
        return "\(disposition)\r\nContent-Type: \(contentType)\r\n"
    }

    /// As browsers write names (the HTML standard, multipart/form-data encoding algorithm).
    ///
    /// Other characters are sent in UTF-8 as they are, also `%` and the backslash.
    private static func escaped(_ name: String) -> String {
        var result: [UInt8] = []
        for byte in name.utf8 {
            if byte == UInt8(ascii: "\"") || byte == 0x0D || byte == 0x0A {
                PercentEncoding.append(byte, to: &result)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// Why a form cannot be sent.
package enum MultipartError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The boundary is empty, too long, or holds what would have to be quoted.
    case invalidBoundary
    /// The name of a part, or of its file, holds NUL.
    case nullInName(part: String)
    /// The media type of a part would end its line.
    case invalidContentType(part: String)

    /// What is wrong, in one sentence without a full stop.
    package var description: String {
        switch self {
        case .invalidBoundary:
            "expected a boundary of 1 to 70 letters, digits and '+_-."
        case .nullInName(let part):
            "the name of the part \"\(part)\", or of its file, holds NUL"
        case .invalidContentType(let part):
            "the content type of the part \"\(part)\" holds a line break or NUL"
        }
    }
}
