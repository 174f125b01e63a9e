import Testing

@testable import PipelineCore

@Suite("Freshness (RFC 9111, section 4.2)")
struct FreshnessTests {
    @Test(
        "4.2.1 and 4.2.2: the lifetime",
        arguments: [
            ("max-age", ["Cache-Control": "max-age=60"], 60),
            ("max-age over Expires", ["Cache-Control": "max-age=60", "Expires": date(900)], 60),
            ("Expires", ["Date": date(0), "Expires": date(900)], 900),
            ("Expires without Date", ["Expires": date(900)], 900),
            ("Expires counts from Date", ["Date": date(100), "Expires": date(900)], 800),
            ("Expires that has passed", ["Date": date(0), "Expires": date(-5)], 0),
            ("Expires: 0", ["Expires": "0", "Last-Modified": date(-5_000)], 0),
            ("a tenth", ["Date": date(0), "Last-Modified": date(-5_000)], 500),
            ("a day at most", ["Last-Modified": "Thu, 01 Jan 1970 00:00:00 GMT"], 86_400),
            ("changed in the future", ["Date": date(0), "Last-Modified": date(50)], 0),
            (
                "no guess beside max-age",
                ["Cache-Control": "max-age=x", "Last-Modified": date(-9_000)], 0
            ),
            ("no word", ["Date": date(0), "ETag": "\"a\""], 0),
        ] as [(String, HTTPFields, Int)])
    func lifetime(name: String, fields: HTTPFields, seconds: Int) {
        #expect(Freshness.lifetime(of: stored(fields)) == seconds)
    }

    @Test("4.2.2: only the statuses that allow it are guessed about, unless it is public")
    func guess() {
        let fields: HTTPFields = ["Last-Modified": date(-5_000)]
        for status in [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501] {
            #expect(Freshness.lifetime(of: stored(status: status, fields)) == 500, "\(status)")
        }
        for status in [201, 202, 302, 303, 307, 400, 401, 403, 500, 502, 503] {
            #expect(Freshness.lifetime(of: stored(status: status, fields)) == 0, "\(status)")
        }
        let open: HTTPFields = ["Last-Modified": date(-5_000), "Cache-Control": "public"]
        #expect(Freshness.lifetime(of: stored(status: 302, open)) == 500)
    }

    @Test(
        "4.2.3: the age",
        arguments: [
            ("none", [:], 0, 0, 0), ("time here", [:], 0, 70, 70),
            ("apparent", ["Date": date(-30)], 0, 70, 100),
            ("Date ahead", ["Date": date(30)], 0, 70, 70),
            ("told", ["Age": "40"], 0, 70, 110),
            ("the first told", ["Age": "40, 900"], 0, 70, 110),
            ("told and on the way", ["Age": "40"], 5, 70, 115),
            ("the larger of both", ["Age": "40", "Date": date(-60)], 5, 70, 130),
            ("unreadable", ["Age": "-4"], 5, 70, 75),
            ("too much", ["Age": "9999999999999999999"], 5, 70, 2_147_483_648),
            ("stored in the future", [:], 0, -1, 2_147_483_648),
        ] as [(String, HTTPFields, Int, Int, Int)])
    func age(name: String, fields: HTTPFields, delay: Int, later: Int, age: Int) {
        let stored = stored(fields, requestedAt: cacheEpoch - delay)
        #expect(Freshness(stored, now: cacheEpoch + later).age == age)
    }

    @Test("4.2: what is as old as its lifetime is stale")
    func edge() {
        let stored = stored(["Cache-Control": "max-age=60"])
        #expect(Freshness(stored, now: cacheEpoch + 59).isFresh)
        #expect(!Freshness(stored, now: cacheEpoch + 60).isFresh)
        #expect(Freshness(stored, now: cacheEpoch + 61).timeLeft == -1)
    }
}
