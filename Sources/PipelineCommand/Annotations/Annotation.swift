/// One failure as a CI server shows it: at its line of the file, with a title and a message.
///
/// No text in it holds a secret, nor a line break or another control character, but for the line
/// breaks between the lines of the message.
struct Annotation: Sendable {
    /// What messages call the file.
    let file: String
    /// From 1 on; `nil` where there is no place.
    let line: Int?
    let column: Int?
    /// What failed: `Home screen: profile`.
    let title: String
    /// What was wrong, one line at least.
    let lines: [String]

    private static let safe = SafeText(nil)
    /// How many lines of what differs are shown, and how wide each is: CI servers cut long texts.
    private static let differenceLimit = 20
    private static let width = 300

    init(_ finding: ReportedFinding, title: String, in file: ReportedFile) {
        self.file = file.name
        line = finding.line
        column = finding.column
        self.title = Self.safe(title, width: 100)
        var lines = [finding.message] + finding.difference.prefix(Self.differenceLimit)
        if finding.difference.count > Self.differenceLimit { lines.append("…") }
        if !finding.path.isEmpty { lines.append(finding.path) }
        self.lines = lines.map { Self.safe($0, width: Self.width) }
    }

    /// `home-screen.json:31:29`, or the file alone.
    var location: String {
        let numbers = [line, column].compactMap(\.self).map { ":\($0)" }
        return Self.safe(file, width: 200) + numbers.joined()
    }
}
