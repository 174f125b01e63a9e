import PipelineCore

/// Text as it may be shown: without secrets, and without what could move a cursor.
struct SafeText: Sendable {
    /// Masks secrets.
    let redact: @Sendable (String) -> String

    init(_ redactor: Redactor?) {
        redact = { redactor?.redact($0) ?? $0 }
    }

    /// The whole text; secrets are masked before anything in them could be replaced.
    func callAsFunction(_ text: String) -> String {
        Self.printable(redact(text))
    }

    /// At most so many columns of the text; it is masked first, so that no secret is cut in two.
    func callAsFunction(_ text: String, width: Int) -> String {
        self(text).cut(toWidth: width)
    }

    private static func printable(_ text: String) -> String {
        // Printable ASCII, nearly always the case, is left alone.
        if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return text }
        return TextExcerpt.of(Array(text.utf8), limit: text.utf8.count)
    }
}
