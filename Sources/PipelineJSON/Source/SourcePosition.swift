/// A place in a text as an editor shows it.
///
/// Lines end at LF, CRLF or CR. A column counts Unicode scalars: a tab is one, and so is each part of
/// a combined character. A byte order mark at the start of the text is not counted.
public struct SourcePosition: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The line, counted from 1.
    public let line: Int

    /// The column in Unicode scalars, counted from 1.
    public let column: Int

    /// A place given by its line and column, both counted from 1.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The order in the text: first by line, then by column.
    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }

    /// The position as messages give it, `line:column`.
    public var description: String { "\(line):\(column)" }
}
