import PipelineCore

/// The part of the page that is about one file.
struct HTMLSection: ReportSection {
    let file: ReportedFile
    /// The first failures, which are linked above the requests.
    private var failures: [(position: Int, name: String, message: String)] = []
    private var failureCount = 0

    private static let linkLimit = 100

    init(file: ReportedFile) {
        self.file = file
    }

    mutating func write(_ request: ReportedRequest, to text: inout [UInt8]) {
        if let error = request.error {
            failureCount += 1
            if failures.count < Self.linkLimit {
                failures.append((request.position, request.name, error.message))
            }
        }
        let before = text
        text = []
        var writer = HTMLWriter(following: consume before)
        writer.row(request, in: file)
        text = writer.finished()
    }

    mutating func frame(_ summary: ReportedSummary, hasItems: Bool) -> ReportFrame {
        var writer = HTMLWriter()
        writer.number(file.number, in: "<section id=\"f", "\">\n")
        writer.text(file.title, in: "<h2><bdi>", "</bdi></h2>\n<p class=\"meta\">")
        writer.text(
            ([file.name, summary.result] + (file.isStub ? ["answered from its examples"] : []))
                .joined(separator: " · "))
        writer.markup("</p>\n")
        if case .invalid(let findings) = summary.ending {
            for finding in findings { writer.finding(finding) }
        }
        writeFailures(to: &writer)
        if hasItems { writer.markup("<div class=\"rows\">\n") }
        return ReportFrame(
            before: writer.finished(),
            after: Array((hasItems ? "</div>\n</section>\n" : "</section>\n").utf8))
    }

    private func writeFailures(to writer: inout HTMLWriter) {
        guard !failures.isEmpty else { return }
        writer.markup("<ul class=\"failures\">\n")
        for failure in failures.sorted(by: { $0.position < $1.position }) {
            writer.number(file.number, in: "<li><a href=\"#f", "r")
            writer.number(failure.position, in: "", "\">")
            writer.text(failure.name, in: "<bdi>", "</bdi></a> ")
            writer.text(failure.message, in: "<bdi>", "</bdi></li>\n")
        }
        if failureCount > failures.count {
            writer.number(failureCount - failures.count, in: "<li>and ", " more</li>\n")
        }
        writer.markup("</ul>\n")
    }
}
