/// The keys of `expect` and `captures`.
extension PipelineFormat {
    static let expect = ObjectShape(
        name: "an expectation",
        keys: [
            .init(
                "status", .either([.integer(100...999), statusText, .list(status, minimum: 1)]),
                "A status, a class such as \"2xx\", or an array of them; \"2xx\" by default."),
            .init(
                "headers", .map(matcher, names: .headerName),
                "Header fields; of a repeated one, any line."),
            .init("cookies", .map(cookie), "Cookies that the response sets."),
            .init("json", .map(matcher), "JSONPaths (RFC 9535) and what is to be found there."),
            .init("text", matcher, "The body as text in its charset."),
            .init("bytes", .object(bytes), "The decoded body as bytes."),
            .init(
                "schema", .either([.text, .boolean, .anyObject]),
                "A JSON Schema (draft 2020-12) for the body, or the name of a file that holds one."),
            .init("duration", .object(durations), "From the dispatch to the last byte."),
            .init("url", matcher, "The address of the last request."),
            .init("httpVersion", matcher, "\"1.1\", \"2\" or \"3\"."),
            .init("certificate", .object(certificate), "The server's certificate; needs https."),
            .init(
                "redirects", .either([.integer(0...100), .list(.json), .object(operators)]),
                "How many redirects were followed, or the addresses they led to."),
        ])

    /// A literal, or an object of operators.
    static let matcher: Shape = .either([
        .template, .number, .boolean, .null, .list(.json), .recursive { .object(operators) },
    ])

    static let operators: ObjectShape = ObjectShape(
        name: "a matcher",
        keys: [
            .init("eq", .json, "Equal to it; numbers by value."),
            .init("ne", .json, "Not equal to it."),
            .init("gt", comparable, "Greater than it; numbers by value, texts by code points."),
            .init("gte", comparable, "Greater than it or equal."),
            .init("lt", comparable, "Less than it."),
            .init("lte", comparable, "Less than it or equal."),
            .init("in", .either([.list(.json), .template]), "One of these."),
            .init("nin", .either([.list(.json), .template]), "None of these."),
            .init(
                "contains", matcher,
                "A text contains this text; an array, or the nodes of a path, such an element."),
            .init("startsWith", .template, "A text starts with it."),
            .init("endsWith", .template, "A text ends with it."),
            .init(
                "matches", .template,
                "A regular expression finds something in the text; anchors are yours."),
            .init(
                "length", matcher,
                "The number of characters, elements, members, or nodes of a path."),
            .init("exists", .boolean, "Whether there is such a value; null is one."),
            .init("type", .form(.oneOf(ValueType.allCases.map(\.rawValue))), "The type."),
            .init("isEmpty", .boolean, "Whether it is \"\", [], {} or null."),
            .init("unordered", .either([.list(.json), .template]), "An array, in any order."),
            .init("subset", .json, "Everything in it is there; more is right."),
            .init("each", matcher, "Each element, or each node of a path."),
            .init("not", matcher, "The opposite; a value must be there."),
            .init("before", .template, "A date-time before this one (RFC 3339)."),
            .init("after", .template, "A date-time after this one (RFC 3339)."),
        ],
        isEmptyAllowed: false,
        unknownKeyHint: "; to compare with an object, write {\"eq\": {…}}")

    static let capture = ObjectShape(
        name: "a capture",
        keys: [
            .init("json", .text, "The JSONPath of the value."),
            .init(
                "header", .form(.headerName),
                "The name of a header field; the first line of several."),
            .init("cookie", .text, "The name of a cookie that the response sets."),
            .init(
                "attribute",
                .form(.oneOf(ResponseSource.CookieAttribute.allCases.map(\.rawValue))),
                "The attribute to take of the cookie, instead of its value."),
            .init("text", yes, "The body as text."),
            .init("status", yes, "The status."),
            .init("url", yes, "The address of the last request."),
            .init("duration", yes, "The milliseconds from the dispatch to the last byte."),
            .init("sha256", yes, "The SHA-256 of the body, in hexadecimal digits."),
            .init(
                "certificate", .form(.oneOf(["subject", "issuer", "expires"])),
                "A part of the server's certificate; \"expires\" is a date-time in UTC."),
            .init("regex", .template, "Takes its first group, or the whole match."),
            .init("default", .json, "The value to use when nothing is found."),
            .init("secret", .boolean, "Whether it is masked everywhere; false."),
            .init("then", .list(step), "What is made of the value, step by step."),
        ],
        exactlyOne: [
            "json", "header", "cookie", "text", "status", "url", "duration", "sha256",
            "certificate",
        ])

    static let captures = Shape.map(
        .either([.text, .object(capture)]), names: .variableName)

    private static let yes = Shape.constant(true)
    private static let comparable = Shape.either([.template, .number])

    private static let cookie = Shape.either([
        .template, .list(.json), .object(cookieOrMatcher),
    ])

    /// The operators are about the value of a cookie; beside them stand its attributes.
    private static let cookieOrMatcher = ObjectShape(
        name: "a cookie",
        keys: operators.keys + [
            .init("path", matcher, "The attribute Path."),
            .init("domain", matcher, "The attribute Domain."),
            .init("expires", matcher, "The attribute Expires, as text."),
            .init("maxAge", matcher, "The attribute Max-Age, in seconds."),
            .init("sameSite", matcher, "The attribute SameSite."),
            .init("secure", .boolean, "Whether the attribute Secure is there."),
            .init("httpOnly", .boolean, "Whether the attribute HttpOnly is there."),
        ],
        isEmptyAllowed: false)

    private static let bytes = ObjectShape(
        name: "an expectation about bytes",
        keys: [
            .init("length", matcher, "How many."),
            .init("sha256", matcher, "The SHA-256, in lower-case hexadecimal digits."),
            .init("md5", matcher, "The MD5, in lower-case hexadecimal digits."),
        ],
        isEmptyAllowed: false)

    private static let certificate = ObjectShape(
        name: "an expectation about a certificate",
        keys: [
            .init("subject", matcher, "Whom it is about, as text."),
            .init("issuer", matcher, "Who vouches for it, as text."),
            .init("expiresIn", .object(durations), "The time that is left until it expires."),
        ],
        isEmptyAllowed: false)

    private static let durations = ObjectShape(
        name: "an expectation about a duration",
        keys: [
            .init("lt", .form(.duration), "Less than it."),
            .init("lte", .form(.duration), "Less than it or equal."),
            .init("gt", .form(.duration), "Greater than it."),
            .init("gte", .form(.duration), "Greater than it or equal."),
        ],
        isEmptyAllowed: false)

    private static let step = Shape.either([
        .form(.oneOf(CaptureStep.words.map(\.name))), .object(stepWithOperand),
    ])

    private static let stepWithOperand = ObjectShape(
        name: "a step",
        keys: [
            .init(
                "nth", .integer(-1_000_000...1_000_000),
                "An element, from 0; negative from the end."),
            .init("split", .template, "The parts of a text between separators."),
            .init("replace", .list(.template, minimum: 2, maximum: 2), "All of a text by another."),
            .init(
                "replaceRegex", .list(.template, minimum: 2, maximum: 2),
                "All matches of a regular expression by a text, with $1 for its first group."),
        ],
        exactlyOne: ["nth", "split", "replace", "replaceRegex"])
}
