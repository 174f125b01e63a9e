/// A regular expression, compiled once and applied to any number of texts in linear time.
///
/// A text is read once from its beginning to its end, and for each of its characters at most every
/// instruction of the program is looked at (Thompson's construction, with the priorities of a
/// backtracking matcher). What cannot be done so is refused: look-around and back-references.
///
/// No pattern can outlive its step: a search that goes on when `MatchingTime` is over gives up. It may
/// then not find what is there, so the answer must not be used.
///
/// Texts are compared scalar by scalar, never by canonical equivalence; matching is case-sensitive, and
/// `$` is the very end, not the place before a last line break. A value can be used from any thread.
///
/// ```swift
/// let version = try RegularExpression(#"^v(\d+)\.(\d+)$"#)
/// version.isFound(in: "v1.20")                        // true
/// version.firstMatch(in: "v1.20")?.groups             // [0..<5, 1..<2, 3..<5]
/// ```
public struct RegularExpression: Sendable {
    /// How a pattern is written.
    public enum Syntax: Sendable, Hashable {
        /// ECMA-262 with the `u` flag, without look-around, back-references and scripts in `\p{…}`.
        case ecmaScript

        /// RFC 9485, strictly; `^` and `$` are anchors, as in its mapping to ECMAScript (section 5.3).
        case iRegexp
    }

    /// The largest program that a pattern may compile to, in instructions: a character is one, and a
    /// repetition `{n}` counts what it repeats n times.
    public static let maximumSize = 10_000

    /// How many groups that capture a pattern may have, which bounds what a match has to copy.
    public static let maximumGroupCount = 99

    /// How deeply groups may be nested.
    public static let maximumDepth = 64

    /// The pattern as it was written.
    public let pattern: String

    /// How the pattern is written.
    public let syntax: Syntax

    let program: PatternProgram

    /// Compiles a pattern; throws with the place of what is wrong with it or not supported.
    public init(_ pattern: String, syntax: Syntax = .ecmaScript) throws(RegularExpressionError) {
        var parser = PatternParser(pattern, syntax: syntax)
        program = try PatternCompiler.program(of: try parser.parse(), groups: parser.groupNames)
        self.pattern = pattern
        self.syntax = syntax
    }

    /// Whether the pattern matches anywhere in a text; anchors are up to the pattern.
    public func isFound(in text: String) -> Bool {
        withUTF8(of: text) { isFound(in: $0) }
    }

    /// Whether the pattern matches all of a text, as if it stood in `^(?:…)$`.
    public func matchesWhole(_ text: String) -> Bool {
        withUTF8(of: text) { matchesWhole($0) }
    }

    /// The match that begins first, chosen among those as ECMAScript does: an alternative before the
    /// next one, greedy before short, lazy before long.
    public func firstMatch(in text: String) -> Match? {
        withUTF8(of: text) { utf8 in
            var matcher = PatternMatcher(program, utf8, recordsGroups: true)
            return matcher.search(from: 0)
        }
    }

    /// A pattern of the ECMAScript syntax that matches exactly this text.
    ///
    /// It may be put wherever a character may stand, within `[…]` too; a repetition after it takes its
    /// last character only, unless it is put into `(?:…)`.
    public static func escaped(_ literal: String) -> String {
        var pattern = ""
        for scalar in literal.unicodeScalars {
            switch scalar {
            case "^", "$", "\\", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|", "/":
                pattern.unicodeScalars.append("\\")
                pattern.unicodeScalars.append(scalar)
            case "-":
                pattern += #"\x2D"#
            default:
                pattern.unicodeScalars.append(scalar)
            }
        }
        return pattern
    }

    func isFound(in utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        var matcher = PatternMatcher(program, utf8, recordsGroups: false)
        return matcher.isFound()
    }

    func matchesWhole(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        var matcher = PatternMatcher(program, utf8, recordsGroups: false)
        return matcher.matchesWhole()
    }

    func withUTF8<Result>(
        of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        var text = text
        return text.withUTF8(body)
    }
}

extension RegularExpression: Hashable {
    /// Whether both have the same pattern, byte for byte, and the same syntax.
    public static func == (left: RegularExpression, right: RegularExpression) -> Bool {
        left.syntax == right.syntax && left.pattern.utf8.elementsEqual(right.pattern.utf8)
    }

    /// Hashes the bytes of the pattern: a `String` holds canonically equivalent patterns for equal.
    public func hash(into hasher: inout Hasher) {
        for byte in pattern.utf8 { hasher.combine(byte) }
        hasher.combine(syntax)
    }
}
