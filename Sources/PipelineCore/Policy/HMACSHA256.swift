/// A keyed sum (RFC 2104) with SHA-256.
enum HMACSHA256 {
    /// The sum, 32 bytes.
    static func bytes(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var block = key.count > 64 ? SHA256.bytes(key) : key
        block += [UInt8](repeating: 0, count: 64 - block.count)
        return SHA256.bytes(
            block.map { $0 ^ 0x5C } + SHA256.bytes(block.map { $0 ^ 0x36 } + message))
    }
}
