import PipelineCore

/// Times as RFC 3339 writes them (section 5.6), quick where many are in the same second.
struct TimeText: Sendable {
    private var second = Int.min
    private var text: [UInt8] = []

    mutating func callAsFunction(_ time: UTCTime) -> String {
        if time.secondsSince1970 != second {
            second = time.secondsSince1970
            text = Array(time.description.utf8.prefix(20))
        }
        text.removeLast(text.count - 20)
        text.append(threeDigits: time.milliseconds)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }
}
