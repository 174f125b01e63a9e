/// SHA-256 (FIPS 180-4, section 6.2).
///
/// Written here because CryptoKit does not exist on Linux and no package is used; it compares
/// bodies with sums that a file names, and proves who sends a request (RFC 7616, AWS).
package enum SHA256 {
    /// The sum in lower-case hexadecimal digits.
    static func hexadecimal(_ message: [UInt8]) -> String {
        hexadecimal { take in message.withUnsafeBytes(take) }
    }

    /// The sum, 32 bytes.
    package static func bytes(_ message: [UInt8]) -> [UInt8] {
        words { take in message.withUnsafeBytes(take) }.flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// The sum of a message that comes in parts.
    static func hexadecimal<Failure: Error>(
        reading: ((UnsafeRawBufferPointer) -> Void) throws(Failure) -> Void
    ) throws(Failure) -> String {
        try words(reading: reading).map(\.hexadecimal).joined()
    }

    /// The sum as eight numbers, the first byte in the highest place of the first.
    private static func words<Failure: Error>(
        reading: ((UnsafeRawBufferPointer) -> Void) throws(Failure) -> Void
    ) throws(Failure) -> [UInt32] {
        var state: [UInt32] = [
            0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C,
            0x1F83_D9AB, 0x5BE0_CD19,
        ]
        var words = [UInt32](repeating: 0, count: 64)
        func add(_ block: UnsafeRawBufferPointer) {
            for index in 0..<16 {
                words[index] = UInt32(
                    bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
            }
            for index in 16..<64 {
                let (a, b) = (words[index - 15], words[index - 2])
                let first = a.rotated(right: 7) ^ a.rotated(right: 18) ^ a >> 3
                let second = b.rotated(right: 17) ^ b.rotated(right: 19) ^ b >> 10
                words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
            }
            compress(&state, words)
        }
        var blocks = PaddedBlocks()
        try reading { blocks.append($0, add) }
        blocks.end(lengthIsBigEndian: true, add)
        return state
    }

    private static func compress(_ state: inout [UInt32], _ words: [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let choice = e & f ^ ~e & g
            let mixed = e.rotated(right: 6) ^ e.rotated(right: 11) ^ e.rotated(right: 25)
            let first = h &+ mixed &+ choice &+ constants[index] &+ words[index]
            let majority = a & b ^ a & c ^ b & c
            let second =
                (a.rotated(right: 2) ^ a.rotated(right: 13) ^ a.rotated(right: 22)) &+ majority
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    private static let constants: [UInt32] = [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2,
    ]
}

/// A message in blocks of 64 bytes, padded as SHA-256 and MD5 ask: a 1 bit, zeros, the length.
struct PaddedBlocks {
    private var count: UInt64 = 0
    /// What does not fill a block yet.
    private var rest: [UInt8] = []

    mutating func append(
        _ part: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        count += UInt64(part.count)
        var part = part[...]
        if !rest.isEmpty {
            let missing = min(64 - rest.count, part.count)
            rest.append(contentsOf: part.prefix(missing))
            part = part.dropFirst(missing)
            guard rest.count == 64 else { return }
            rest.withUnsafeBytes(body)
            rest.removeAll(keepingCapacity: true)
        }
        while part.count >= 64 {
            body(UnsafeRawBufferPointer(rebasing: part.prefix(64)))
            part = part.dropFirst(64)
        }
        rest.append(contentsOf: part)
    }

    mutating func end(lengthIsBigEndian: Bool, _ body: (UnsafeRawBufferPointer) -> Void) {
        let bits = count * 8
        let zeros = (119 - rest.count) % 64
        let length = (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
        let end =
            [0x80] + [UInt8](repeating: 0, count: zeros)
            + (lengthIsBigEndian ? length.reversed() : length)
        end.withUnsafeBytes { append($0, body) }
    }
}

extension UInt32 {
    fileprivate func rotated(right count: UInt32) -> UInt32 { self >> count | self << (32 - count) }

    /// Eight lower-case digits.
    var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }
}
