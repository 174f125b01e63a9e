import PipelineJSON

/// One problem of a pipeline file, with its place.
public struct Diagnostic: Sendable, Hashable {
    /// What was expected, what was found and what to do.
    public let message: String
    /// The file, line and column, such as `home-screen.json:31:29`; the file alone when the problem
    /// has no place in it.
    public let location: String
    /// The keys and indices that lead to it, such as `requests[2].expect.status`; empty for none.
    public let path: String
    /// The line of the file and a caret under the place; empty for none.
    public let excerpt: [String]

    /// A problem with a file as a whole, such as one that cannot be read.
    package init(_ message: String, file: String) {
        self.message = message
        location = file
        path = ""
        excerpt = []
    }

    /// A file that is not JSON.
    init(_ error: JSONError, in bytes: [UInt8], file: String) {
        message = error.message
        location = "\(file):\(error.position)"
        path = ""
        excerpt = SourceExcerpt(SourceLines(bytes), error.offset..<error.offset + 1).lines
    }

    init(message: String, location: String, path: String, excerpt: [String]) {
        self.message = message
        self.location = location
        self.path = path
        self.excerpt = excerpt
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The problem as a terminal shows it, in one to four lines.
    public var description: String {
        let place = path.isEmpty ? location : "\(location) · \(path)"
        return ([message, "  \(place)"] + excerpt.map { "  \($0)" }).joined(separator: "\n")
    }
}

/// A pipeline that cannot be run: everything that is wrong with it, in the order of the file.
///
/// Nothing was sent.
public struct PipelineError: Error, Sendable, Hashable {
    /// The problems, one at least; of more than a hundred, the first hundred.
    public let diagnostics: [Diagnostic]
    /// How many problems there are in all.
    public let count: Int

    /// How many problems are shown in full.
    package static let maximumCount = 100

    package init(_ diagnostic: Diagnostic) {
        diagnostics = [diagnostic]
        count = 1
    }

    init(_ problems: [Problem], in source: SourceText) {
        let sorted = problems.sorted { $0.place.bytes.lowerBound < $1.place.bytes.lowerBound }
        diagnostics = sorted.prefix(Self.maximumCount).map {
            source.diagnostic($0.message, at: $0.place)
        }
        count = problems.count
    }
}

extension PipelineError: CustomStringConvertible {
    /// All problems as a terminal shows them.
    public var description: String {
        diagnostics.map(\.description).joined(separator: "\n")
            + (count > diagnostics.count ? "\nand \(count - diagnostics.count) more" : "")
    }
}

/// A problem before its line and column are worked out.
struct Problem {
    let message: String
    let place: SourcePlace
}
