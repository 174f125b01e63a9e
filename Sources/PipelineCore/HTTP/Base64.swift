/// Base64 with padding (RFC 4648, section 4).
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The bytes as text.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        var group = 0
        var count = 0
        for byte in bytes {
            group = group << 8 | Int(byte)
            count += 1
            guard count == 3 else { continue }
            for shift in [18, 12, 6, 0] { result.append(alphabet[group >> shift & 63]) }
            (group, count) = (0, 0)
        }
        if count > 0 {
            group <<= (3 - count) * 8
            for shift in [18, 12, 6, 0].prefix(count + 1) {
                result.append(alphabet[group >> shift & 63])
            }
            for _ in count..<3 { result.append(UInt8(ascii: "=")) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The bytes behind Base64 or Base64url (RFC 4648, section 5), with or without padding.
    package static func decode(anyAlphabet text: String) -> [UInt8]? {
        var digits = text.utf8.filter { $0 != UInt8(ascii: "=") }.map { digit in
            switch digit {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: digit
            }
        }
        while digits.count % 4 != 0 { digits.append(UInt8(ascii: "=")) }
        return decode(String(decoding: digits, as: UTF8.self))
    }

    /// The bytes behind a text, or `nil` when it is not Base64.
    ///
    /// White space is skipped.
    package static func decode(_ text: String) -> [UInt8]? {
        let characters = text.utf8.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        let digits = characters.prefix { $0 != UInt8(ascii: "=") }
        let padding = characters.count - digits.count
        guard characters.count % 4 == 0, padding <= 2,
            characters.dropFirst(digits.count).allSatisfy({ $0 == UInt8(ascii: "=") })
        else { return nil }
        var result: [UInt8] = []
        var bits = 0
        var count = 0
        for digit in digits {
            guard let value = alphabet.firstIndex(of: digit) else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            result.append(UInt8(bits >> count & 0xFF))
        }
        // Bits that belong to no byte must be zero, so that each value has one form.
        return bits & (1 << count - 1) == 0 ? result : nil
    }
}
