/// Finds bytes in bytes.
enum ByteSearch {
    /// Whether a part stands somewhere in a text; the empty part stands everywhere.
    static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        guard part.count <= text.count else { return false }
        return text.withUnsafeBufferPointer { text in
            var start = 0
            let last = text.count - part.count
            while start <= last {
                if text[start] == first, text[start...].starts(with: part) { return true }
                start += 1
            }
            return false
        }
    }
}
