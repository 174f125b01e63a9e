import TestSupport
import Testing

@testable import PipelineCore

@Suite("Cache-Control (RFC 9111, section 5.2)")
struct CacheControlTests {
    @Test(
        "Each flag is read, in any case and wherever it stands",
        arguments: [
            ("no-store", \CacheControl.forbidsStoring), ("No-Cache", \.demandsValidation),
            (#"no-cache="Set-Cookie, X""#, \.demandsValidation),
            ("must-revalidate", \.forbidsStale), ("public", \.isPublic),
            ("private", \.isPrivate), (#"private="X""#, \.isPrivate),
            ("immutable", \.isImmutable), ("only-if-cached", \.isOnlyIfCached),
        ] as [(String, any KeyPath<CacheControl, Bool> & Sendable)])
    func flags(text: String, flag: any KeyPath<CacheControl, Bool> & Sendable) {
        for line in [text, "max-age=1, \(text)", ",, \(text)\t,foo=bar", "foo=\"a,b\",\(text)"] {
            #expect(CacheControl([line])[keyPath: flag], "\(line)")
            #expect(CacheControl(["foo", line])[keyPath: flag], "\(line)")
        }
        #expect(!CacheControl(["foo=\"\(text.filter { $0 != "\"" })\""])[keyPath: flag])
        #expect(!CacheControl(["x-\(text)"])[keyPath: flag])
    }

    @Test(
        "1.2.2: seconds, quoted or not; too many are the most; what is none is 0",
        arguments: [
            ("max-age=60", 60), (#"max-age="60""#, 60), (#"max-age="6\0""#, 60),
            ("max-age=0060", 60), ("MAX-AGE=5", 5), ("max-age = 5", 5),
            ("max-age=2147483648", 2_147_483_648), ("max-age=2147483649", 2_147_483_648),
            ("max-age=99999999999999999999999999", 2_147_483_648),
            ("max-age", 0), ("max-age=", 0), ("max-age=-1", 0), ("max-age=+1", 0),
            ("max-age=1.5", 0), ("max-age=1 2", 0), ("max-age=1s", 0), (#"max-age="1"#, 0),
            ("max-age=0x10", 0), ("foo", nil), ("s-maxage=9", nil), ("x-max-age=9", nil),
            ("max-age=60, max-age=5", 60), ("max-age=x, max-age=5", 0), ("", nil),
        ])
    func seconds(text: String, expected: Int?) {
        #expect(CacheControl([text]).maxAge == expected)
    }

    @Test("What is broken hides nothing of what comes after it")
    func broken() {
        for text in [
            #"foo="unterminated, no-store"#, #"max-age="1, no-store"#, "=, no-store",
            "a b c, no-store", "@@@, no-store", #""quoted", no-store"#, #"foo="\, no-store"#,
            "foo==bar, no-store",
        ] {
            #expect(CacheControl([text]).forbidsStoring, "\(text)")
        }
    }

    @Test("5.2.1: the client's own directives")
    func request() {
        let both = CacheControl(["max-stale, min-fresh=5"])
        #expect(both.maxStale == CacheControl.mostSeconds)
        #expect(both.minFresh == 5)
        #expect(CacheControl(["max-stale=7"]).maxStale == 7)
        #expect(CacheControl(["max-stale=x"]).maxStale == nil)
        #expect(CacheControl(["stale-if-error=9"]).staleIfError == 9)
    }

    @Test("Random text neither traps nor hangs")
    func random() {
        var generator = SeededGenerator(seed: printedSeed("cache control"))
        let parts = ["max-age", "=", "\"", "\\", ",", " ", "no-store", "7", "é", "\u{0}", "*/"]
        for _ in 0..<3_000 {
            let count = Int.random(in: 0...12, using: &generator)
            let text = (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }
            #expect(CacheControl([text.joined()]).maxAge ?? 0 >= 0)
        }
    }
}
