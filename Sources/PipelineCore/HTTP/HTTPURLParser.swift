import PipelineJSON

/// One pass over the bytes of an address, from scheme to query.
struct HTTPURLParser {
    private(set) var output: String
    private(set) var authorityStart = 0
    private(set) var hostEnd = 0
    private(set) var pathStart = 0

    init(_ text: String) {
        output = text
    }

    mutating func parse() throws(HTTPURLError) {
        output.makeContiguousUTF8()
        var plain = true
        if output.utf8.contains(where: { $0 >= 0x80 }) { try makeHostASCII() }
        let bytes = Array(output.utf8)
        authorityStart = try scheme(bytes)
        if let bad = bytes.first(where: { $0.isLineBreakOrNull || $0 == 0x7F || $0 == 0x09 }) {
            throw HTTPURLError("an address may not hold the control character \(hex(bad))")
        }
        pathStart =
            bytes[authorityStart...].firstIndex { $0 == slash || $0 == question || $0 == hash }
            ?? bytes.endIndex
        hostEnd = try authority(bytes[authorityStart..<pathStart])
        plain = bytes[pathStart...].allSatisfy { 0x21...0x7E ~= $0 && $0 != hash }
        if !plain || bytes[..<authorityStart].contains(where: { 0x41...0x5A ~= $0 }) {
            output = normalized(bytes)
        }
    }

    /// Writes a host in another script in A-labels; the rest is percent-encoded later.
    private mutating func makeHostASCII() throws(HTTPURLError) {
        let bytes = Array(output.utf8)
        let start = try scheme(bytes)
        let rest = bytes[start...]
        let end = rest.firstIndex { "/?#:[@".utf8.contains($0) } ?? rest.endIndex
        let host = String(decoding: bytes[start..<end], as: UTF8.self)
        guard host.utf8.contains(where: { $0 >= 0x80 }) else { return }
        guard let ascii = InternationalHost.ascii(host) else {
            throw HTTPURLError("the host \"\(host.shortened)\" is no name (RFC 5891)")
        }
        output = String(
            decoding: bytes[..<start] + Array(ascii.utf8) + bytes[end...], as: UTF8.self)
    }

    /// Returns where the authority begins.
    private func scheme(_ bytes: [UInt8]) throws(HTTPURLError) -> Int {
        for candidate in ["http://", "https://"]
        where bytes.starts(
            with: candidate.utf8, by: { $0 == $1 || $0.lowercasedASCII == $1 })
        {
            return candidate.utf8.count
        }
        guard let colon = bytes.firstIndex(of: colon), colon > 0,
            bytes[..<colon].allSatisfy({
                $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0)
            }),
            bytes[colon...].starts(with: "://".utf8)
        else {
            throw HTTPURLError("expected an address that begins with http:// or https://")
        }
        let found = String(decoding: bytes[..<colon], as: UTF8.self)
        throw HTTPURLError("expected the scheme http or https, found \(found)")
    }

    /// Returns where the host ends.
    private func authority(_ bytes: ArraySlice<UInt8>) throws(HTTPURLError) -> Int {
        if bytes.contains(UInt8(ascii: "@")) {
            throw HTTPURLError("credentials do not belong into an address: use \"auth\"")
        }
        let end: Int
        if bytes.first == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")) else {
                throw HTTPURLError("the IPv6 address has no closing ]")
            }
            try IPv6Literal.check(bytes[(bytes.startIndex + 1)..<close])
            end = close + 1
        } else {
            end = bytes.firstIndex(of: colon) ?? bytes.endIndex
            try name(bytes[bytes.startIndex..<end])
        }
        try port(bytes[end...])
        return end
    }

    private func name(_ bytes: ArraySlice<UInt8>) throws(HTTPURLError) {
        guard !bytes.isEmpty else { throw HTTPURLError("the address has no host") }
        // The characters of a reg-name, RFC 3986 section 3.2.2, without percent-encoding.
        let bad = bytes.first {
            !($0.isASCIILetter || $0.isASCIIDigit || "-._~!$&'()*+,;=".utf8.contains($0))
        }
        if let bad {
            throw HTTPURLError("a host may not hold \(shown(bad))")
        }
    }

    private func port(_ bytes: ArraySlice<UInt8>) throws(HTTPURLError) {
        guard let first = bytes.first else { return }
        let digits = String(decoding: bytes.dropFirst(), as: UTF8.self)
        guard first == colon, bytes.dropFirst().allSatisfy(\.isASCIIDigit),
            let number = UInt32(digits), 1...65_535 ~= number
        else {
            throw HTTPURLError("expected a port from 1 to 65535 after the host")
        }
    }

    /// Lower-cases the scheme, percent-encodes what may not stand raw, drops the fragment.
    private func normalized(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 16)
        for (offset, byte) in bytes.enumerated() {
            if byte == hash { break }
            if offset < authorityStart {
                result.append(byte.lowercasedASCII)
            } else if 0x21...0x7E ~= byte {
                result.append(byte)
            } else {
                PercentEncoding.append(byte, to: &result)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private func shown(_ byte: UInt8) -> String {
        0x21...0x7E ~= byte ? "'\(Character(UnicodeScalar(byte)))'" : hex(byte)
    }

    private func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return "0x" + (digits.utf8.count == 1 ? "0" : "") + digits
    }
}

private let colon = UInt8(ascii: ":")
private let slash = UInt8(ascii: "/")
private let question = UInt8(ascii: "?")
private let hash = UInt8(ascii: "#")
