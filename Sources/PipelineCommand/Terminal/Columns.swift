/// Pairs of texts in two columns, as help and hints show them.
enum Columns {
    /// A line for each pair, indented by two.
    ///
    /// - Parameter width: How wide the left column is at least.
    static func rows(_ rows: [(left: String, right: String)], width: Int = 0) -> [String] {
        let width = max(width, rows.map(\.left.displayWidth).max() ?? 0)
        return rows.map { "  \($0.left.padded(toWidth: width))  \($0.right)" }
    }
}
