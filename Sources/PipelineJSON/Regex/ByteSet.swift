/// A set of bytes, one bit for each.
struct ByteSet: Sendable, Equatable {
    private var words = SIMD4<UInt64>()

    func contains(_ byte: UInt8) -> Bool {
        words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1
    }

    mutating func insert(_ byte: UInt8) {
        words[Int(byte >> 6)] |= 1 << UInt64(byte & 63)
    }

    /// Inserts the byte that the UTF-8 form of a scalar begins with.
    mutating func insert(firstByteOf scalar: UInt32) {
        switch scalar {
        case ..<0x80: insert(UInt8(scalar))
        case ..<0x800: insert(UInt8(0xC0 | scalar >> 6))
        case ..<0x10000: insert(UInt8(0xE0 | scalar >> 12))
        default: insert(UInt8(0xF0 | scalar >> 18 & 0x7))
        }
    }

    mutating func formUnion(_ other: ByteSet) {
        words |= other.words
    }
}
