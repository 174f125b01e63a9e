import PipelineJSON

extension JSONNumber {
    /// A duration in milliseconds, to the microsecond.
    init(milliseconds duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        self.init(thousandths: microseconds)
    }

    /// A number of thousandths, without zeros at its end.
    private init(thousandths: Int64) {
        var text = String(thousandths / 1_000)
        var rest = abs(thousandths % 1_000)
        if thousandths < 0, thousandths > -1_000 { text = "-0" }
        if rest > 0 {
            var digits = 3
            while rest % 10 == 0 {
                rest /= 10
                digits -= 1
            }
            let fraction = String(rest)
            text += "." + String(repeating: "0", count: digits - fraction.utf8.count) + fraction
        }
        self.init(validated: text)
    }
}

extension Duration {
    /// In milliseconds, to the microsecond: `48.25`.
    var inMilliseconds: String { JSONNumber(milliseconds: self).text }
}
