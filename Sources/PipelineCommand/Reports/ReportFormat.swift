/// Turns what happened in a run into the bytes of one kind of report.
///
/// A report is put together from sections, one for each file, which are written request by request
/// while the files run, possibly several at once. What stands around them is asked for at the end,
/// when everything is known:
///
/// ```
/// beginning
///   frame.before · request, itemSeparator, request … · frame.after
///   sectionSeparator
///   frame.before · …
/// end
/// ```
///
/// All text that a format is given has been through the file's redactor. It is escaped by the format,
/// in one place, and may hold anything that a file or a server brought, but that it is valid Unicode.
/// A format keeps nothing of a request: reports of any length are made in little memory.
protocol ReportFormat: Sendable {
    /// What stands between the requests of a file for which there is something to be said.
    var itemSeparator: String { get }
    /// What stands between the files of which there is something.
    var sectionSeparator: String { get }

    /// Begins the section of a file.
    func section(of file: ReportedFile) -> any ReportSection

    /// What stands before all files.
    func beginning(of run: ReportedRun) -> [UInt8]

    /// What stands after all files.
    func end(of run: ReportedRun) -> [UInt8]
}

/// The part of a report that is about one file; used by one thread at a time.
///
/// It is told each request once, when it has ended or it is certain that it will not be started;
/// with several in flight in the order in which they end. The report has them in the order of the
/// file all the same.
protocol ReportSection: Sendable {
    /// Adds what is to be said about a request to the text.
    mutating func write(_ request: ReportedRequest, to text: inout [UInt8])

    /// What stands around the requests, once the file has ended.
    ///
    /// - Parameter hasItems: Whether anything was written; a file that is not valid has no request.
    ///   A section of which nothing was written, with an empty frame, is left out.
    mutating func frame(_ summary: ReportedSummary, hasItems: Bool) -> ReportFrame
}

extension ReportFormat {
    var itemSeparator: String { "" }
    var sectionSeparator: String { "" }
}

/// What stands around the requests of a file.
struct ReportFrame: Sendable {
    var before: [UInt8] = []
    var after: [UInt8] = []
}
