extension Duration {
    /// For messages: such as `250 ms`, or from a second on `1.0 s`.
    package var shown: String {
        let milliseconds = Int64(min(max(1, (self / .milliseconds(1)).rounded()), 1e15))
        if milliseconds < 1_000 { return "\(milliseconds) ms" }
        let tenths = (milliseconds + 50) / 100
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
