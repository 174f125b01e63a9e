import PipelineCore
import Testing

@Suite("Units")
struct UnitsTests {
    @Test(
        arguments: [
            ("250ms", .milliseconds(250)), ("5s", .seconds(5)), ("2m", .seconds(120)),
            ("1h", .seconds(3_600)), ("1m30s", .seconds(90)), ("0s", .zero),
            ("30d", .seconds(2_592_000)), ("398d12h", .seconds(34_430_400)), ("", nil), ("5", nil),
            ("s", nil), ("5 s", nil), ("-1s", nil), ("1.5s", nil), ("5sec", nil), ("1é", nil),
            ("9999999999999999s", nil), ("999999999h", nil),
            (String(repeating: "999999999999999h", count: 60), nil), ("366000d", nil),
            ("999999999999999d", nil),
        ] as [(String, Duration?)])
    func `durations are read as the format has them`(text: String, expected: Duration?) {
        #expect(DurationText.parse(text) == expected)
    }

    @Test(
        arguments: [
            ("512", 512), ("64KB", 65_536), ("10MB", 10 << 20), ("1GB", 1 << 30), ("", nil),
            ("KB", nil), ("10 MB", nil), ("1.5MB", nil), ("10mb", nil),
            ("99999999999999999999", nil), ("9999999999999999GB", nil),
        ] as [(String, Int?)])
    func `sizes are read as the format has them`(text: String, expected: Int?) {
        #expect(ByteSize(parsing: text)?.bytes == expected)
    }

    @Test(
        arguments: [
            (.microseconds(400), "0 ms"), (.milliseconds(91), "91 ms"),
            (.milliseconds(999), "999 ms"),
            (.milliseconds(1_000), "1.0 s"), (.milliseconds(61_250), "61.3 s"),
        ] as [(Duration, String)])
    func `durations are shown for people`(duration: Duration, expected: String) {
        #expect(DurationText.shown(duration) == expected)
    }
}
