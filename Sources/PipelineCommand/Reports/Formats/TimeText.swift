import PipelineCore

/// Times as RFC 3339 writes them (section 5.6), quick where many are in the same second.
struct TimeText: Sendable {
    private var second = Int.min
    private var text = ""

    mutating func callAsFunction(_ time: UTCTime) -> String {
        if time.secondsSince1970 != second {
            second = time.secondsSince1970
            text = String(time.description.prefix(20))
        }
        // Three digits, whatever the number.
        return "\(text)\(String(1_000 + time.milliseconds).dropFirst())Z"
    }
}
