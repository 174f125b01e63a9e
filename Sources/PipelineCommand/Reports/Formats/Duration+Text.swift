import PipelineJSON

extension Duration {
    /// In microseconds, what is less left out.
    var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    /// In milliseconds, to the microsecond: `48.25`.
    var inMilliseconds: String {
        var writer = JSONWriter()
        writer.value(thousandths: wholeMicroseconds)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// In seconds, with milliseconds: `0.048`.
    var inSeconds: String {
        let milliseconds = Int(wholeMicroseconds + 500) / 1_000
        var text: [UInt8] = []
        text.append(decimal: milliseconds / 1_000)
        text.append(".")
        text.append(threeDigits: milliseconds % 1_000)
        return String(decoding: text, as: UTF8.self)
    }
}
