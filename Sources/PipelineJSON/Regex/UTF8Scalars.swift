extension Collection<UInt8> where Index == Int {
    /// The scalar that begins at an offset of a text that is known to be UTF-8, and its length in bytes.
    ///
    /// An offset inside a scalar gives U+FFFD and a length of 1 at least, and never reads beyond the end.
    func scalar(at offset: Int) -> (value: UInt32, length: Int) {
        let first = UInt32(self[offset])
        guard first >= 0x80 else { return (first, 1) }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard first >= 0xC0, offset + length <= endIndex else { return (0xFFFD, 1) }
        var value = first & (0x7F >> UInt32(length))
        for offset in offset + 1..<offset + length {
            value = value << 6 | UInt32(self[offset] & 0x3F)
        }
        return (value, length)
    }
}
