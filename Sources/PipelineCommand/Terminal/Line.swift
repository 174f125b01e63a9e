/// One line for a person: pieces of text, each with a style.
///
/// The texts may be anything a file or a server brought. The ``Console`` masks secrets and replaces
/// control characters when it writes them.
struct Line: Sendable, Hashable {
    private(set) var spans: [Span] = []

    struct Span: Sendable, Hashable {
        var text: String
        var style: Style
    }

    /// How a piece of text looks; a plain output leaves it out.
    enum Style: Sendable, Hashable {
        case plain, bold, dim, success, failure, warning, accent
    }

    init() {}

    init(_ text: String, _ style: Style = .plain) {
        append(text, style)
    }

    mutating func append(_ text: String, _ style: Style = .plain) {
        spans.append(Span(text: text, style: style))
    }

    /// The text without its styles.
    var text: String { spans.map(\.text).joined() }

    static func + (one: Line, other: Line) -> Line {
        var line = one
        line.spans += other.spans
        return line
    }
}

extension Line.Style {
    /// The parameter of the escape sequence that switches it on (ECMA-48, SGR).
    var code: String? {
        switch self {
        case .plain: nil
        case .bold: "1"
        case .dim: "2"
        case .success: "32"
        case .failure: "31"
        case .warning: "33"
        case .accent: "36"
        }
    }
}
