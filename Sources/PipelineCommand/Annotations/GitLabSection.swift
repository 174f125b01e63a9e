import PipelineCore

/// Annotations for the log of a GitLab job: a section that can be folded, with a line or more for
/// each failure.
enum GitLabSection {
    private static let name = "pipeline_run_failures"
    private static let eraseLine = "\u{1B}[0K"

    /// Empty without failures.
    ///
    /// - Parameter count: How many failures there are, those that were not kept included.
    static func text(_ annotations: [Annotation], of count: Int, at time: UTCTime) -> String {
        guard count > 0 else { return "" }
        let title = count == 1 ? "1 failure" : "\(count) failures"
        var text = marker("start", at: time) + "\u{1B}[31mpipeline-run: \(title)\u{1B}[0m\n"
        for annotation in annotations {
            text += "\(annotation.location): \(annotation.title)\n"
            text += annotation.lines.map { "    \($0)\n" }.joined()
        }
        if count > annotations.count { text += "and \(count - annotations.count) more\n" }
        return text + marker("end", at: time) + "\n"
    }

    private static func marker(_ kind: String, at time: UTCTime) -> String {
        "\(eraseLine)section_\(kind):\(time.secondsSince1970):\(name)\r\(eraseLine)"
    }
}
