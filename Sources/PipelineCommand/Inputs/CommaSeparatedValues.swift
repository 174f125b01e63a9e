/// Text in rows and columns (RFC 4180).
enum CommaSeparatedValues {
    /// One row, and the line of the text that it begins on.
    struct Row: Equatable {
        let line: Int
        let cells: [String]
    }

    /// Why a text cannot be read.
    struct Failure: Error, Equatable {
        let line: Int
        let message: String
    }

    /// The rows of a text, the header among them; lines with nothing in them are left out.
    ///
    /// Lines end in CR LF or LF. A cell in quotes may hold commas, line breaks and, doubled, quotes.
    static func rows(of bytes: some Sequence<UInt8>) throws(Failure) -> [Row] {
        var parser = Parser()
        for byte in bytes { try parser.take(byte) }
        return try parser.finish()
    }

    private struct Parser {
        private var rows: [Row] = []
        private var cells: [String] = []
        private var cell: [UInt8] = []
        private var place = Place.start
        private var line = 1
        private var rowLine = 1

        private enum Place {
            /// Nothing of the cell has come.
            case start
            case plain
            case quoted
            /// A quote has come within quotes: it ends them unless another one follows.
            case quote
            /// A CR has come, which only ends a line with the LF after it.
            case carriageReturn
        }

        mutating func take(_ byte: UInt8) throws(Failure) {
            if place == .carriageReturn {
                guard byte == UInt8(ascii: "\n") else {
                    throw Failure(line: line, message: "a CR without the LF of a line's end")
                }
                return try endRow()
            }
            switch (byte, place) {
            case (UInt8(ascii: "\""), .start): place = .quoted
            case (UInt8(ascii: "\""), .quoted): place = .quote
            case (UInt8(ascii: "\""), .quote):
                cell.append(byte)
                place = .quoted
            case (UInt8(ascii: "\""), _):
                throw Failure(
                    line: line,
                    message: "a quote within a cell; put the cell in quotes and double it")
            case (_, .quoted):
                cell.append(byte)
                if byte == UInt8(ascii: "\n") { line += 1 }
            case (UInt8(ascii: ","), _): try endCell()
            case (UInt8(ascii: "\r"), _): place = .carriageReturn
            case (UInt8(ascii: "\n"), _): try endRow()
            case (_, .quote):
                throw Failure(
                    line: line, message: "text after the quote that ends a cell; expected a comma")
            default:
                cell.append(byte)
                place = .plain
            }
        }

        mutating func finish() throws(Failure) -> [Row] {
            switch place {
            case .quoted: throw Failure(line: rowLine, message: "a quote that nothing ends")
            case .carriageReturn: try endRow()
            case .start, .plain, .quote:
                if place != .start || !cells.isEmpty { try endRow() }
            }
            return rows
        }

        private mutating func endCell() throws(Failure) {
            guard let text = String(validating: cell, as: UTF8.self) else {
                throw Failure(line: line, message: "expected UTF-8")
            }
            cells.append(text)
            cell.removeAll(keepingCapacity: true)
            place = .start
        }

        private mutating func endRow() throws(Failure) {
            let isEmpty = cells.isEmpty && cell.isEmpty && place != .quote
            try endCell()
            if !isEmpty { rows.append(Row(line: rowLine, cells: cells)) }
            cells = []
            line += 1
            rowLine = line
        }
    }
}
