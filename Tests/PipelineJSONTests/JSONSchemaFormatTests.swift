import PipelineJSON
import Testing

@Suite("Text formats")
struct JSONSchemaFormatTests {
    /// What the conformance suite does not ask, or only where it is installed.
    private static let table: [(TextFormat, accepted: [String], refused: [String])] = [
        (
            .dateTime,
            [
                "2016-12-31T23:59:60Z", "2017-01-01T01:29:60+01:30", "2016-12-31T15:59:60-08:00",
                "2016-02-29T23:59:60.5Z", "2016-12-31t23:59:59z", "0000-01-01T00:00:00Z",
                "2016-12-31T00:00:00-00:00",
            ],
            [
                "2016-12-30T23:59:60Z", "2017-01-01T23:59:60Z", "2016-12-31T01:29:60+01:30",
                "2017-01-01T15:59:60-08:00", "2015-02-28T23:59:61Z", "2016-12-31 23:59:59Z",
                "2016-12-31T23:59:59", "2016-12-31T23:59:59.Z", "2016-12-31T24:00:00Z",
                "2016-12-31T23:59:59+1:00", "2016-12-31T23:59:59+0100", "",
            ]
        ),
        (
            .date, ["2024-02-29", "2000-02-29"],
            ["1900-02-29", "2023-02-29", "2024-2-29", "2024-02-2９"]
        ),
        (
            .time, ["00:00:00Z", "23:59:60z", "12:00:00.000001-11:59"],
            ["12:00:00", "12:00Z", "1:00:00Z"]
        ),
        (
            .duration, ["P1Y", "p1dt1h", "PT1H1M1S", "P1M1D"],
            ["P1Y1D", "PT1H1S", "P1W1D", "PT", "P1DT", "1D"]
        ),
        (
            .email,
            [
                "a@b", "a.b+c@d.example", #""a\"b"@x"#, #"" "@x"#, "a@[ipv6:2001:db8::1]",
                String(repeating: "a", count: 64) + "@b",
            ],
            [
                "a", "a@", "@b", "a@b@c", "a@-b", #""a"b@x"#, #""a@x"#, #""a\"@x"#, "é@x", "a@[x]",
                "a@[1.2.3.4", String(repeating: "a", count: 65) + "@b", "a@b.", "",
            ]
        ),
        (
            .hostname,
            ["a", "1.2", "a-b.c", String(repeating: "a.", count: 126) + "b", "xn--nxasmq6b"],
            [
                "a..b", "a.", "-a", "a-", "a_b", "é", String(repeating: "a.", count: 127) + "b",
                "xn--", "xn--a", "xn--99999999999", "xn--\u{E9}",
            ]
        ),
        (
            .ipv4, ["0.0.0.0", "255.255.255.255"],
            ["256.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4 ", "1.2.3.٤"]
        ),
        (
            .ipv6,
            [
                "::", "1::", "::1", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1:2:3:4:5:6:1.2.3.4",
                "::1.2.3.4",
            ],
            [
                ":", ":::", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:1.2.3.4",
                "1::2::3", "1.2.3.4::", "g::", "::1%eth0", "", "12345::", "1:2:3:4:5:6:7:",
            ]
        ),
        (
            .uri,
            [
                "a:", "a:b", "http://[v1.a:b]/", "http://a:/", "http://a:80?q#f", "file:///a%20b",
                "a:/?/#?/",
            ],
            [
                "", "a", "//a", "http://[::1", "http://[1.2.3.4]/", "http://a b", "http://a/%2",
                "a:#b#c", "http://[v.a]",
            ]
        ),
        (.uriReference, ["", "a/b:c", "./a:b", "//a", "?", "#"], ["1:b", ":", "a b", "[", "%"]),
        (
            .uuid, ["00000000-0000-0000-0000-000000000000"],
            ["{00000000-0000-0000-0000-000000000000}", ""]
        ),
        (.jsonPointer, ["", "/", "/~0~1"], ["a", "/~", "/~2", "#/a"]),
        (.regex, ["", "^a$"], ["(", "a{2,1}"]),
    ]

    @Test("accept and refuse what their specification says", arguments: table)
    func formats(format: TextFormat, accepted: [String], refused: [String]) {
        for text in accepted { #expect(format.matches(text), "\(text)") }
        for text in refused { #expect(!format.matches(text), "\(text)") }
    }

    @Test("are all in the table, and each is asserted in a schema under its name")
    func all() throws {
        #expect(Self.table.map(\.0) == TextFormat.allCases)
        for (format, accepted, refused) in Self.table {
            let name = JSONValue(format.rawValue)
            let schema = try JSONSchema(["format": name])
            let annotating = try JSONSchema(["format": name], assertsFormats: false)
            for text in accepted { #expect(schema.validate(JSONValue(text)).isEmpty, "\(text)") }
            for text in refused {
                let message = schema.validate(JSONValue(text)).first?.message ?? ""
                #expect(message.hasPrefix("expected \(format.expectation), found "), "\(text)")
                #expect(annotating.validate(JSONValue(text)).isEmpty)
            }
            #expect(schema.validate(1).isEmpty)
        }
    }

    @Test("that are not known are not asserted")
    func unknown() throws {
        #expect(try JSONSchema(["format": "postcode"]).validate("x").isEmpty)
    }
}
