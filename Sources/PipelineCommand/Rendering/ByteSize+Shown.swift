import PipelineCore

extension ByteSize {
    /// The size for people: whole bytes below 1 KB, else with one decimal, in powers of 1,024.
    var shown: String {
        var size = Double(bytes)
        var unit = "B"
        // At 1,023.95 the one decimal would be that of 1,024.0.
        for next in ["KB", "MB", "GB"] where size >= 1_023.95 {
            size /= 1_024
            unit = next
        }
        guard unit != "B" else { return "\(bytes) B" }
        let tenths = Int((size * 10).rounded())
        return "\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)") + " \(unit)"
    }
}
