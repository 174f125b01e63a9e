/// What Foundation's `URLSession` cannot do. On Linux each reason was measured, with Swift 6.3.1.
extension TransportUnderTest {
    static let urlSessionExclusions = urlSessionEverywhere + urlSessionOnPlatform

    /// What its interface has no way to say, on any platform.
    private static let urlSessionEverywhere =
        exclusions(
            "fields are a dictionary: in no order, lines of one name joined by a comma",
            "Fields go out in order, repeated and empty ones too",
            "O19: fields keep their order and are never joined",
            "100 KB of fields go there and come back")
        + exclusions(
            "the version of HTTP is neither told with the head nor to be asked for",
            "A field line that goes on in the next one is one value",
            "The version is the best that both have, or the one that is asked for",
            "A version that one request asks for is not the next one's, in any order",
            "Fifty exchanges at once are served by a server without it, too")
        + exclusions(
            "a GET with a body fails with NSURLErrorDataLengthExceedsMaximum and is refused, get is "
                + "sent as GET, and a POST gets a Content-Type of Foundation's own",
            "A method is sent as written, with its body and length",
            "A transport keeps nothing of the request before, whatever the pair",
            "O13 (iii): a new connection that is reset is a failure")
        + exclusions(
            "where to connect cannot be said: the option is refused by its name",
            "A Unix socket is connected to, whatever the host, and only for the request that asks",
            "A name has the address that the request gives it, and Host keeps the name",
            "Addresses that one request gives are not the next one's",
            "The kind of addresses is the one that is asked for",
            "A connection goes to the place that the request gives, and Host keeps the name",
            "A name is verified as it stands in the address, wherever the connection goes")
        + exclusions(
            "exceptions and credentials of a proxy cannot be said: they are refused by their names",
            "O16: the proxy of a request is used, with its credentials, and only for that request",
            "O16: a request's own exceptions are reached directly",
            "O16: a name with a dot before it stands for all below it",
            "O16: a proxy that fails is told apart from the server")
        + exclusions(
            "nothing tells when a connection stands",
            "A cancel ends an attempt to connect", "Connecting has a limit of its own",
            "A TLS handshake that is never answered ends with the limit for connecting")
        + exclusions(
            "nothing tells when a connection stands",
            "A cancel ends it within 50 ms, whatever the server does", row: "handshake")
        + exclusions(
            "nothing of a head is told before it is complete",
            "O17: what drips is cut off in time", row: "the head")
        + exclusions(
            "only the decoded bytes of a body can be counted while they come",
            "O17: what drips is cut off in time", row: "a gzip body")
        + exclusions(
            "only the decoded bytes of a body can be counted while they come",
            "O11: gzip that decodes whole but is cut short of its length fails")
        + exclusions(
            "a certificate is no part of the metrics",
            "The server's certificate is told to every exchange that wants it, and to no other")
        + exclusions(
            "a client's certificate has to come from a keychain: one in PEM is refused by its name",
            "A client's certificate is shown to a server that asks")

    #if os(Linux)
        private static let urlSessionOnPlatform =
            exclusions(
                "Foundation traps: Transfer completed, but there's no response",
                "A broken answer fails with its kind", row: "half a head")
            + exclusions(
                "Foundation traps after trailers: Transfer completed, but there's no response",
                "Interim heads and trailers are not mistaken for the head")
            + [
                "NUL in a field", "a length that is none", "a negative length",
                "O11: no last chunk", "O11: half a chunk", "O11: half a size",
                "a chunk without a size", "a chunk of a negative size", "a chunk of 40 digits",
                "a chunk that is longer than its size",
            ].flatMap {
                exclusions(
                    "NSURLErrorUnknown, whatever was wrong", "A broken answer fails with its kind",
                    row: $0)
            }
            + exclusions(
                "a reset is told as the end of the body is",
                "A broken answer fails with its kind", row: "a reset within the body")
            + exclusions(
                "NSURLErrorUnknown, whatever was wrong",
                "O18: a coding that cannot be undone is named, and its bytes never reach the "
                    + "receiver",
                "A certificate that nobody vouches for is refused before anything is sent",
                "A server without TLS is no server for https")
            + exclusions(
                "Foundation traps when a connection is closed within the head, as it is at the test's "
                    + "end: Transfer completed, but there's no response",
                "A cancel ends it within 50 ms, whatever the server does", row: "drippingHead")
            + exclusions(
                flood, "A cancel ends it within 50 ms, whatever the server does",
                row: "floodingBody")
            + exclusions(
                flood, "A cancel from inside a call of the receiver holds from there on",
                "A line that never ends is given up, long before the time is over",
                "A head that never ends is given up, long before the time is over")
            + exclusions(
                "parts pile up before a receiver that is slower than the network: 200 MB under the "
                    + "thread sanitizer",
                "64 MiB come down in parts, and memory does not grow")
            + exclusions(
                "the error holds no reason of the system's",
                "A refused connection names address and reason")
            + exclusions(
                "a second head after 417 is never sent",
                "O12 (ii): an expectation that is refused costs a second head, and only its answer "
                    + "counts")
            + exclusions(
                "dots are taken out of the path: /a/../b/./c is sent as /b/c",
                "O15: an address goes out byte for byte")
            + exclusions(
                "an IPv6 literal fails with NSURLErrorBadURL",
                "O14: an IPv6 literal is connected to, and Host has its brackets")
            + exclusions(
                "a body is not sent again, and what is not idempotent and has none goes out on a "
                    + "connection of its own",
                "O13 (ii): reset by the next request, only an idempotent one is sent again")
            + exclusions(
                "a POST without content goes out on a connection of its own",
                "A body of pieces is sent in one piece, with its length, each time")
            + exclusions(
                "a body is not sent again, and Foundation waits seven seconds for another one, on one "
                    + "queue for all sessions",
                "O13 (ii): a file goes out whole again where a request may be sent again, and once "
                    + "only else")
            + exclusions(
                "five deliveries over five connections",
                "O13: an idempotent request is sent again once, not for as long as there are "
                    + "connections")
            + exclusions(
                "metrics never come",
                "The metrics tell the phases in order, the peer and whether the connection was new",
                "Exchanges in a row use one connection",
                "A POST uses a connection that was in use just now",
                "gzip in chunks is undone, and both sizes are told")
            + exclusions(
                "nothing can be said of TLS, and a challenge for the server's trust never comes: what "
                    + "is said is refused by its name",
                "An authority that the request names is trusted, for each name of its certificate",
                "A certificate for another name is refused before anything is sent",
                "A certificate that has expired is called that, before anything is sent",
                "Trust that one request gives up is not given up by the next, in any order",
                "A connection made without verifying is of no use to who verifies, and the reverse",
                "A version of TLS below the lowest that is wanted is refused",
                "The best version of TLS is spoken",
                "Methods, fields and bodies are the same as ever",
                "Fifty exchanges at once share one connection",
                "A cancel ends one exchange of a connection and leaves the others alone")
            + exclusions(
                "the configuration's proxies are left aside for those of the environment: others are "
                    + "refused by their name",
                "A proxy that is refused a tunnel is told apart from the server",
                "O16: a request without a proxy connects directly, whatever the environment says")

        private static let flood =
            "Foundation reads a connection for as long as more comes, on one queue for all sessions: "
            + "every other exchange of the process waits"
    #else
        private static let urlSessionOnPlatform = exclusions(
            "the system's settings take the place of the environment",
            "O16: http_proxy is used for what no_proxy does not name")
    #endif

    private static func exclusions(
        _ reason: String, _ tests: String..., row: String? = nil
    ) -> [Exclusion] {
        tests.map { Exclusion(test: $0, row: row, reason: reason) }
    }
}
