/// The lines of a text: found once, then asked for any number of places.
package struct SourceLines: Sendable {
    private let bytes: [UInt8]
    /// The offset at which each line begins.
    private let starts: [Int]

    /// The lines of `bytes`, which are UTF-8 in so far as columns and line texts are asked for.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0]
        for (index, byte) in bytes.enumerated()
        where byte == lineFeed || byte == carriageReturn {
            let isHalfOfPair =
                byte == carriageReturn && index + 1 < bytes.count && bytes[index + 1] == lineFeed
            if !isHalfOfPair { starts.append(index + 1) }
        }
        self.starts = starts
    }

    /// The line and column of a byte offset; one past the end is the place after the last character.
    package func position(of offset: Int) -> SourcePosition {
        let offset = min(offset, bytes.count)
        let line = max(1, lineCount(beginningAtMost: offset))
        let start = min(starts[line - 1], offset)
        let scalars = bytes[start..<offset].count { !UTF8.isContinuation($0) }
        return SourcePosition(line: line, column: scalars + 1)
    }

    /// The text of a line counted from 1, without its line break; empty past the last line.
    package func text(ofLine line: Int) -> String {
        guard starts.indices.contains(line - 1) else { return "" }
        return String(
            decoding: bytes[starts[line - 1]...].prefix { $0 != lineFeed && $0 != carriageReturn },
            as: UTF8.self)
    }

    /// How many lines begin at this offset or before it.
    private func lineCount(beginningAtMost offset: Int) -> Int {
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
