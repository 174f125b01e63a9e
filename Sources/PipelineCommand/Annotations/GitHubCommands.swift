/// Annotations as GitHub Actions reads them from the output of a step: workflow commands.
enum GitHubCommands {
    /// GitHub shows so many errors of a step.
    private static let limit = 10

    /// A line for each failure, as many as GitHub shows, and one that tells of the others.
    ///
    /// - Parameter count: How many failures there are, those that were not kept included.
    static func text(_ annotations: [Annotation], of count: Int) -> String {
        let shown = annotations.prefix(limit)
        var text = shown.map { "\(command($0))\n" }.joined()
        if count > shown.count {
            text += "::notice title=pipeline-run::and \(count - shown.count) more failures\n"
        }
        return text
    }

    private static func command(_ annotation: Annotation) -> String {
        var properties: [String] = []
        if let path = WorkspacePath.of(annotation.file) {
            properties.append("file=\(property(path))")
            if let line = annotation.line { properties.append("line=\(line)") }
            if let column = annotation.column { properties.append("col=\(column)") }
        }
        properties.append("title=\(property(annotation.title))")
        let message = data(annotation.lines.joined(separator: "\n"))
        return "::error \(properties.joined(separator: ","))::\(message)"
    }

    /// Text as the message of a command: on one line.
    static func data(_ text: String) -> String {
        escape(text) { "%\r\n".unicodeScalars.contains($0) }
    }

    /// Text as the value of a property, which also ends at `,` and `::`.
    static func property(_ text: String) -> String {
        escape(text) { "%\r\n:,".unicodeScalars.contains($0) }
    }

    // By scalars: `\r\n` is one character.
    private static func escape(
        _ text: String, where needsEscape: (Unicode.Scalar) -> Bool
    ) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if needsEscape(scalar) {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// What keeps GitHub from reading commands in the output between its beginning and its end.
    ///
    /// What servers send is shown there, and could be a command otherwise: `##[…]` is one anywhere in
    /// a line. The word that ends it is random, so that no server knows it.
    struct Stop: Sendable {
        private let word: String

        init() {
            word = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined()
        }

        var beginning: String { "::stop-commands::\(word)\n" }
        var end: String { "::\(word)::\n" }
    }
}
