/// Finds bytes in bytes, in linear time whatever they are (Knuth, Morris and Pratt).
enum ByteSearch {
    /// Whether a part stands somewhere in a text; the empty part stands everywhere.
    static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard !part.isEmpty else { return true }
        let borders = borders(of: part)
        var matched = 0
        for byte in text {
            while matched > 0, part[matched] != byte { matched = borders[matched - 1] }
            if part[matched] == byte { matched += 1 }
            if matched == part.count { return true }
        }
        return false
    }

    /// For each beginning of the part, the length of its longest proper beginning that also ends it.
    private static func borders(of part: [UInt8]) -> [Int] {
        var borders = [0]
        var length = 0
        for byte in part.dropFirst() {
            while length > 0, part[length] != byte { length = borders[length - 1] }
            if part[length] == byte { length += 1 }
            borders.append(length)
        }
        return borders
    }
}
