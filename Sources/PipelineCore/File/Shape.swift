/// What a value of a pipeline file may look like.
///
/// One description of the format serves the validator and the JSON Schema.
indirect enum Shape: Sendable {
    /// Any value at all.
    case json
    /// A string, taken as it is.
    case text
    /// A string that may hold placeholders.
    case template
    /// A string of this form only.
    case form(TextForm)
    /// `true` or `false`.
    case boolean
    /// A whole number in this range.
    case integer(ClosedRange<Int>)
    /// A number of any size.
    case number
    /// A number in this range.
    case numberWithin(ClosedRange<Double>)
    /// The value `null`.
    case null
    /// An object with these keys and no others.
    case object(ObjectShape)
    /// An object whose members have this shape, and names of that form if there is one.
    case map(Shape, names: TextForm? = nil)
    /// An array of that shape, with so many elements.
    case list(Shape, minimum: Int = 0, maximum: Int = .max)
    /// An object with any members: a language of its own, such as a JSON Schema.
    case anyObject
    /// This Boolean only.
    case constant(Bool)
    /// Any of these, told apart by their JSON type.
    case either([Shape])
    /// A shape that holds itself, looked up when it is needed.
    case recursive(@Sendable () -> Shape)

    /// What can be put into text without a question: a string, a number or a Boolean.
    static let scalar = Shape.either([.template, .number, .boolean])

    /// The same, or `null`, which switches a default off.
    var orNull: Shape { .either([self, .null]) }
}

/// A form that a string of a pipeline file must have, such as a duration.
struct TextForm: Sendable {
    /// What messages say is expected.
    let name: String
    /// The form as a regular expression, for the JSON Schema; `nil` for a length alone.
    var expression: String?
    /// How many characters it has at least, for the JSON Schema.
    var minimumLength = 0
    /// Whether a number in its place most likely lacks its unit.
    var hasUnit = false
    /// The words there are, if there are only so many: a near miss is pointed out.
    var words: [String] = []
    /// Whether a text has the form; may be stricter than the expression.
    let accepts: @Sendable (String) -> Bool

    static let duration = TextForm(
        name: "a duration such as \"250ms\", \"5s\" or \"1m30s\"",
        expression: "^([0-9]{1,15}(ms|s|m|h|d))+$", hasUnit: true,
        accepts: { DurationText.parse($0) != nil })

    /// A limit of time: none at all would be no limit anyone means.
    static let positiveDuration = TextForm(
        name: "a duration above zero such as \"250ms\", \"5s\" or \"1m30s\"",
        expression: "^([0-9]{1,15}(ms|s|m|h))*0*[1-9][0-9]{0,14}(ms|s|m|h)"
            + "([0-9]{1,15}(ms|s|m|h))*$",
        hasUnit: true, accepts: { DurationText.parse($0).map { $0 > .zero } ?? false })

    static let size = TextForm(
        name: "a size such as \"64KB\" or \"10MB\"", expression: "^[0-9]+(KB|MB|GB)?$",
        hasUnit: true, accepts: { ByteSize(parsing: $0) != nil })

    /// A method (RFC 9110, section 9.1), also called a token.
    static let method = TextForm(
        name: "a method", expression: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
        accepts: { $0.utf8.isToken })

    /// What a placeholder may stand for, but for the environment.
    static let variableName = TextForm(
        name: "the name of a variable (\(VariableName.rule))",
        expression: "^[A-Za-z_-][A-Za-z0-9_-]*$",
        accepts: { VariableName.isValid($0) && !$0.hasPrefix("env.") })

    /// A field name (RFC 9110, section 5.1), also called a token.
    static let headerName = TextForm(
        name: "the name of a header", expression: method.expression, accepts: method.accepts)

    /// The name of a cookie (RFC 6265, section 4.1.1), also a token.
    static let cookieName = TextForm(
        name: "the name of a cookie", expression: method.expression, accepts: method.accepts)

    /// What an attempt can fail for, other than one status.
    static let retryReason = TextForm(
        name: "\"network\", \"timeout\" or a class of statuses such as \"5xx\"",
        expression: "^(network|timeout|[1-5]xx)$", words: ["network", "timeout"],
        accepts: { $0 == "network" || $0 == "timeout" || StatusRange(parsing: $0) != nil })

    static let filled = TextForm(
        name: "a text that is not empty", minimumLength: 1, accepts: { !$0.isEmpty })

    static let statusClass = TextForm(
        name: "a class of statuses such as \"2xx\"", expression: "^[1-5]xx$",
        accepts: { StatusRange(parsing: $0) != nil })

    /// One of these words and nothing else.
    static func oneOf(_ words: [String]) -> TextForm {
        let names = words.map { "\"\($0)\"" }
        return TextForm(
            name: (words.count > 1 ? "one of " : "") + names.joined(separator: ", "),
            expression: "^(\(words.joined(separator: "|").replacing(".", with: "\\.")))$",
            words: words,
            accepts: { words.contains($0) })
    }
}

/// An object of a pipeline file.
struct ObjectShape: Sendable {
    /// What messages call it, such as `a request`.
    let name: String
    /// The keys that it may have.
    let keys: [Key]
    /// The keys that it must have.
    var required: [String] = []
    /// The keys of which it must have exactly one.
    var exactlyOne: [String] = []
    /// Whether it may have no key at all.
    var isEmptyAllowed = true
    /// What to do about an unknown key that resembles no known one.
    var unknownKeyHint = ""

    /// One key, with what it is for.
    struct Key: Sendable {
        let name: String
        let shape: Shape
        let summary: String

        init(_ name: String, _ shape: Shape, _ summary: String) {
            self.name = name
            self.shape = shape
            self.summary = summary
        }
    }
}
