/// The line at the bottom of a terminal that is drawn again and again, as the terminal is told so
/// (ECMA-48; DECAWM of DEC's VT terminals).
///
/// The cursor rests at its start. When the window becomes narrower and breaks the line in several
/// rows, it is still there, so that erasing from it on leaves nothing of them.
enum LiveLine {
    /// Takes the line off the screen.
    static let erasing = "\r\u{1B}[J"

    /// Puts the text in place of what the line was.
    ///
    /// Meanwhile the terminal does not go on in the next row when a row is full: the window may
    /// have become narrower, or draw a character wider than it was taken for.
    static func drawing(_ text: String) -> String {
        "\r\u{1B}[?7l\(text)\u{1B}[J\u{1B}[?7h\r"
    }
}
