import Testing

@testable import PipelineCore

@Suite("What is wrong with the keys about sending")
struct ExchangeKeyTests {
    @Test(
        "Each mistake is named with its place and its path",
        arguments: [
            (
                file(#"{ "url": "/a", "retry": { "interval": "1s" } }"#),
                [#"2:40 requests[0].retry: a retry needs "max""#]
            ),
            (
                file(#"{ "url": "/a", "expect": { "redirects": -1 } }"#),
                [
                    "2:56 requests[0].expect.redirects: expected a whole number from 0 to 100, "
                        + "found -1"
                ]
            ),
            (
                file(#"{ "url": "/a", "retry": { "max": 1, "jitter": 1.5 } }"#),
                ["2:62 requests[0].retry.jitter: expected a number from 0 to 1, found 1.5"]
            ),
            (
                file(#"{ "url": "/a", "retry": { "max": 1, "on": ["dns"] } }"#),
                [
                    #"2:59 requests[0].retry.on[0]: expected "network", "timeout" or a class of "#
                        + #"statuses such as "5xx", found "dns""#
                ]
            ),
            (
                file(
                    #"{ "url": "/a", "method": "POST", "#
                        + #""retry": { "max": 1, "until": { "status": 200 } } }"#),
                [
                    "2:91 requests[0].retry.until.status: POST is not idempotent (RFC 9110, "
                        + "section 9.2.2): to repeat \"POST /a\" until something holds, write "
                        + #""nonIdempotent": true"#
                ]
            ),
            (
                file(#"{ "url": "/a", "cookies": { "a b": "c" } }"#),
                [#"2:44 requests[0].cookies["a b"]: "a b" is not the name of a cookie"#]
            ),
            (
                file(#"{ "url": "/a", "body": { "file": "/no/such/file" } }"#),
                [
                    "2:49 requests[0].body.file: there is no file /no/such/file"
                ]
            ),
            (
                file(#"{ "url": "/a", "saveTo": "no/such/a" }"#),
                [
                    "2:41 requests[0].saveTo: cannot save to no/such/a: there is no folder "
                        + "./no/such/"
                ]
            ),
            (
                file(#"{ "url": "/a", "tls": { "ca": "no-ca.pem" } }"#),
                ["2:46 requests[0].tls.ca: there is no file ./no-ca.pem"]
            ),
            (
                file(
                    #"{ "url": "/a", "captures": { "a": { "status": true, "attribute": "path" } } }"#
                ),
                [
                    #"2:81 requests[0].captures.a.attribute: "attribute" needs "cookie" beside it"#
                ]
            ),
        ] as [(String, [String])])
    func problem(text: String, expected: [String]) {
        #expect(problems(text) == expected)
    }
}
