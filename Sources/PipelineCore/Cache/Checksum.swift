/// A sum of 64 bits that shows damage, not malice; it takes 8 bytes at a time.
///
/// Each step maps the sums before it one to one, so that a change within one word always shows, and
/// any other change but once in 2⁶⁴.
struct Checksum {
    private var state: UInt64 = 0x243F_6A88_85A3_08D3
    private var word: UInt64 = 0
    private var count: UInt64 = 0

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while index < bytes.count, !count.isMultiple(of: 8) { take(bytes[index], &index) }
        while index + 8 <= bytes.count {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index += 8
            count += 8
        }
        while index < bytes.count { take(bytes[index], &index) }
    }

    mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    /// The sum of what came so far, and how much that was.
    var value: UInt64 {
        var end = self
        end.mix(word)
        end.mix(count)
        return end.state
    }

    private mutating func take(_ byte: UInt8, _ index: inout Int) {
        word |= UInt64(byte) << (count % 8 * 8)
        index += 1
        count += 1
        guard count.isMultiple(of: 8) else { return }
        mix(word)
        word = 0
    }

    private mutating func mix(_ word: UInt64) {
        state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        // A product carries upwards only; without this, two changes of a highest bit would cancel.
        state ^= state >> 32
    }
}
