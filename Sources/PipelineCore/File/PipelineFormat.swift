/// The pipeline file, format version 1: every key, in one table.
package enum PipelineFormat {
    static let pipeline = ObjectShape(
        name: "a pipeline",
        keys: [
            .init("$schema", .text, "Where the JSON Schema of this format is; for editors."),
            .init("version", .integer(1...1), "The version of this format; 1."),
            .init("name", .text, "What reports call the pipeline; the file's name by default."),
            .init("description", .text, "What the pipeline is for."),
            .init(
                "baseURL", .template,
                "What relative addresses are joined to. \"stub:\" answers from the examples."),
            .init(
                "variables", .map(.json, names: .variableName), "Names and their default values."),
            .init(
                "secrets", .list(.form(.variableName)),
                "Names of values that must be given from outside and are masked everywhere."),
            .init("defaults", .object(defaults), "What every request inherits."),
            .init("deadline", .form(.positiveDuration), "How long the whole run may take."),
            .init("requests", .list(.object(request), minimum: 1), "The requests, in order."),
            .init(
                "finally", .list(.object(request)),
                "Requests that run after the others, whatever happened."),
            .init(
                "finallyDeadline", .form(.positiveDuration),
                "How long the requests of \"finally\" may take in all; 30s by default."),
            .init(
                "concurrency", .integer(1...256),
                "How many requests may be in flight; 1. Those of \"finally\" run one by one."),
        ],
        required: ["requests"])

    static let defaults = ObjectShape(
        name: "the defaults",
        keys: [
            headers, timeout, connectTimeout, maxBody, auth, expectation, retry, redirects, tls,
            proxy,
        ])

    static let request = ObjectShape(
        name: "a request",
        keys: [
            .init(
                "name", .form(.filled),
                "What reports call it; unique. Method and path by default."),
            .init(
                "method",
                .form(.method),
                "GET by default, or POST when there is a body."),
            .init("url", .template, "Absolute, or relative to baseURL."),
            .init(
                "query", .map(.either([.template, .number, .boolean, .list(.scalar)])),
                "Parameters of the query; an array repeats its name."),
            headers,
            .init("cookies", .map(.template, names: .cookieName), "Cookies of this request only."),
            body("a body", "What is sent.", requestBodies),
            auth, timeout, connectTimeout, maxBody, expectation, retry, redirects, tls, proxy,
            .init("delay", .form(.duration), "How long to wait before the first attempt."),
            .init("unixSocket", .template, "A Unix socket to connect to instead of the host."),
            .init(
                "http", .form(.oneOf(ConnectionOptions.HTTPVersion.allCases.map(\.rawValue))),
                "The version of HTTP to speak."),
            .init(
                "saveTo", .template,
                "A file for the body, written when the request has succeeded."),
            .init("captures", captures, "Values to take along."),
            .init("example", .object(example), "What the stub answers."),
            .init("enabled", .boolean, "Whether it takes part; true."),
        ],
        required: ["url"])

    static let example = ObjectShape(
        name: "an example",
        keys: [
            .init("status", .integer(200...999), "The status; 200."),
            headers, body("an example's body", "The content."),
            .init("delay", .form(.duration), "How long the stub waits before it answers."),
        ])

    static let credentials = ObjectShape(
        name: "an authentication",
        keys: [
            .init("bearer", .template, "A token (RFC 6750)."),
            .init("basic", .object(basic), "A user's name and password (RFC 7617)."),
            .init(
                "digest", .object(basic),
                "The same, proved without sending the password (RFC 7616)."),
            .init("awsSigV4", .object(amazon), "An AWS Signature, version 4."),
        ],
        exactlyOne: ["bearer", "basic", "digest", "awsSigV4"])

    static let basic = ObjectShape(
        name: "a name and a password",
        keys: [
            .init("username", .template, "The user's name."),
            .init("password", .template, "The user's password."),
        ],
        required: ["username", "password"])

    private static let amazon = ObjectShape(
        name: "AWS credentials",
        keys: [
            .init("accessKeyId", .template, "Who signs."),
            .init("secretAccessKey", .template, "What is signed with."),
            .init("sessionToken", .template, "The token of temporary credentials."),
            .init("region", .template, "Such as \"eu-central-1\"."),
            .init("service", .template, "Such as \"s3\" or \"execute-api\"."),
        ],
        required: ["accessKeyId", "secretAccessKey", "region", "service"])

    static let statusText = Shape.form(.statusClass)
    static let status = Shape.either([.integer(100...999), statusText])
    private static let headers = ObjectShape.Key(
        "headers", .map(.either([.template, .list(.template), .null]), names: .headerName),
        "Header fields; an array repeats its name, null switches a default off.")
    private static let timeout = ObjectShape.Key(
        "timeout", Shape.form(.positiveDuration).orNull, "How long one attempt may take; 30s.")
    private static let connectTimeout = ObjectShape.Key(
        "connectTimeout", Shape.form(.positiveDuration).orNull,
        "How long connecting may take; 10s.")
    private static let maxBody = ObjectShape.Key(
        "maxBody", Shape.form(.size).orNull, "How large a decoded body may be; 64MB.")
    private static let auth = ObjectShape.Key(
        "auth",
        .either([.form(.oneOf(["none"])), .object(credentials), .null]),
        "Credentials, or \"none\".")
    private static let expectation = ObjectShape.Key(
        "expect", Shape.object(expect).orNull, "What the response must be.")

    private static func body(
        _ name: String, _ summary: String, _ more: [ObjectShape.Key] = []
    ) -> ObjectShape.Key {
        let keys: [ObjectShape.Key] = [
            .init("json", .json, "A JSON value; a string that is one placeholder keeps its type."),
            .init("text", .template, "Text."),
            .init("form", .map(.either([.scalar, .list(.scalar)])), "Names and values of a form."),
            .init("base64", .text, "Bytes in Base64 (RFC 4648)."),
        ]
        let shape = ObjectShape(
            name: name, keys: keys + more, exactlyOne: (keys + more).map(\.name))
        return .init("body", .object(shape), summary)
    }
}
