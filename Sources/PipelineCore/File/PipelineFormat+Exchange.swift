/// The keys about how a request is sent: bodies with files, attempts, redirects, connections.
extension PipelineFormat {
    /// What a request may carry beside what an example may.
    static let requestBodies: [ObjectShape.Key] = [
        .init(
            "multipart", .map(.either([.scalar, .object(part), .list(partOrScalar)])),
            "Names and contents of the parts of a form (RFC 7578)."),
        .init("file", .template, "A file whose bytes are sent."),
        .init("graphql", .object(graphQL), "A GraphQL query."),
    ]

    static let retry = ObjectShape.Key(
        "retry", Shape.object(attempts).orNull, "When the request is sent again; never.")

    static let redirects = ObjectShape.Key(
        "redirects", Shape.integer(0...100).orNull,
        "How many redirects are followed; 10. With 0 they are responses like any other.")

    static let tls = ObjectShape.Key(
        "tls", Shape.object(transportSecurity).orNull, "What an https connection demands.")

    static let proxy = ObjectShape.Key(
        "proxy", Shape.template.orNull,
        "The address of a proxy, or \"none\"; what the environment says by default.")

    private static let partOrScalar = Shape.either([.scalar, .object(part)])

    private static let part = ObjectShape(
        name: "a part",
        keys: [
            .init("file", .template, "A file whose bytes are sent."),
            .init("text", .template, "Text."),
            .init("contentType", .template, "The media type of the part."),
            .init("filename", .template, "What the part calls its file; its own name by default."),
        ],
        exactlyOne: ["file", "text"])

    private static let graphQL = ObjectShape(
        name: "a GraphQL request",
        keys: [
            .init("query", .template, "The query."),
            .init("variables", .anyObject, "The values of its variables."),
            .init("operationName", .template, "Which of several operations is meant."),
        ],
        required: ["query"])

    private static let attempts = ObjectShape(
        name: "a retry",
        keys: [
            .init("max", .integer(0...10_000), "How many further attempts there may be."),
            .init("interval", .form(.duration), "The wait before the first of them; 1s."),
            .init(
                "backoff", .numberWithin(1...1_000),
                "What each wait is multiplied by for the next; 2."),
            .init("maxInterval", .form(.duration), "The longest wait; 30s."),
            .init(
                "jitter", .numberWithin(0...1),
                "The fraction that a wait may be lengthened by at random; 0."),
            .init(
                "on", .list(.either([.integer(100...999), .form(.retryReason)])),
                "The failures that are worth another attempt: \"network\", \"timeout\" and "
                    + "statuses; both, and 408, 429, 500, 502, 503, 504 by default."),
            .init(
                "nonIdempotent", .boolean,
                "Whether a request that may have been acted on, such as a POST, is sent again too; "
                    + "false."),
            .init(
                "until", .object(expect),
                "An expectation: the request is repeated until it holds."),
        ],
        required: ["max"])

    private static let transportSecurity = ObjectShape(
        name: "a TLS setting",
        keys: [
            .init("verify", .boolean, "Whether certificates are verified; true."),
            .init("ca", .template, "A file of PEM certificates to trust, not the system's."),
            .init("certificate", .template, "A file with the client's PEM certificate."),
            .init("key", .template, "A file with its key."),
            .init(
                "minVersion", .form(.oneOf(TLSOptions.Version.allCases.map(\.rawValue))),
                "The lowest version of TLS."),
        ])
}
