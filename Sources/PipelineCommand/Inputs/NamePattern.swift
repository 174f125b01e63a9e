/// A pattern for the name of a file, as shells have it: `*` for any text, `?` for a character,
/// `[a-z]` for one of them and `[!a-z]` for another one.
///
/// A backslash takes its meaning from the character after it. Names that begin with a dot are
/// matched only where the pattern begins with one.
struct NamePattern: Sendable, Hashable {
    private let pieces: [Piece]
    private let showsHidden: Bool

    private enum Piece: Hashable {
        case one(Unicode.Scalar)
        case any
        case text
        case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)
    }

    init(_ text: some StringProtocol) {
        showsHidden = text.hasPrefix(".") || text.hasPrefix("\\.")
        var pieces: [Piece] = []
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": pieces.append(.text)
            case "?": pieces.append(.any)
            case "[": pieces.append(Self.set(&rest) ?? .one("["))
            case "\\": pieces.append(.one(rest.popFirst() ?? "\\"))
            default: pieces.append(.one(scalar))
            }
        }
        self.pieces = pieces
    }

    /// Whether a text has characters that mean more than themselves in a pattern.
    static func isMeant(by text: some StringProtocol) -> Bool {
        text.utf8.contains { "*?[".utf8.contains($0) }
    }

    func matches(_ name: String) -> Bool {
        guard showsHidden || !name.hasPrefix(".") else { return false }
        let scalars = Array(name.unicodeScalars)
        var (piece, position) = (0, 0)
        // Where to go on when the text that the last `*` stands for must be longer.
        var retry: (piece: Int, position: Int)?
        while position < scalars.count || piece < pieces.count {
            if piece < pieces.count, pieces[piece] == .text {
                retry = (piece, position + 1)
                piece += 1
            } else if piece < pieces.count, position < scalars.count,
                Self.matches(pieces[piece], scalars[position])
            {
                piece += 1
                position += 1
            } else if let last = retry, last.position <= scalars.count {
                (piece, position) = (last.piece, last.position)
            } else {
                return false
            }
        }
        return true
    }

    private static func matches(_ piece: Piece, _ scalar: Unicode.Scalar) -> Bool {
        switch piece {
        case .one(let own): own == scalar
        case .any, .text: true
        case .set(let ranges, let isNegated):
            ranges.contains { $0.contains(scalar) } != isNegated
        }
    }

    /// Reads a set behind its opening bracket; `nil` and nothing when it is not closed.
    private static func set(_ text: inout ArraySlice<Unicode.Scalar>) -> Piece? {
        var rest = text
        let isNegated = rest.first == "!" || rest.first == "^"
        if isNegated { rest.removeFirst() }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while let first = rest.popFirst() {
            // A bracket that comes first is one of the characters.
            if first == "]", !ranges.isEmpty {
                text = rest
                return .set(ranges, isNegated: isNegated)
            }
            guard rest.first == "-", let last = rest.dropFirst().first, last != "]" else {
                ranges.append(first...first)
                continue
            }
            rest = rest.dropFirst(2)
            if first <= last { ranges.append(first...last) }
        }
        return nil
    }
}
