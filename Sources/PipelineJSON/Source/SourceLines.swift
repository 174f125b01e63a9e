/// The lines of a text, found on demand: nothing is computed until a message needs it.
package struct SourceLines: Sendable {
    private let bytes: [UInt8]

    /// The lines of `bytes`, which are UTF-8 in so far as columns and line texts are asked for.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The line and column of a byte offset; one past the end is the place after the last character.
    package func position(of offset: Int) -> SourcePosition {
        let offset = min(offset, bytes.count)
        var number = 1
        var start = beginning
        while let next = lineStart(after: start, before: offset) {
            number += 1
            start = next
        }
        let scalars = bytes[min(start, offset)..<offset].count { !UTF8.isContinuation($0) }
        return SourcePosition(line: number, column: scalars + 1)
    }

    /// The text of a line counted from 1, without its line break; empty past the last line.
    package func text(ofLine line: Int) -> String {
        var start = beginning
        for _ in 1..<max(line, 1) {
            guard let next = lineStart(after: start, before: bytes.count) else { return "" }
            start = next
        }
        return String(
            decoding: bytes[start...].prefix { $0 != lineFeed && $0 != carriageReturn },
            as: UTF8.self)
    }

    private var beginning: Int { bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0 }

    /// The start of the line after the one that holds `start`, when it begins at or before `limit`.
    private func lineStart(after start: Int, before limit: Int) -> Int? {
        var index = start
        while index < limit {
            let byte = bytes[index]
            index += 1
            guard byte == lineFeed || byte == carriageReturn else { continue }
            let isHalfOfPair =
                byte == carriageReturn && index < bytes.count && bytes[index] == lineFeed
            if !isHalfOfPair { return index }
        }
        return nil
    }
}

private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
