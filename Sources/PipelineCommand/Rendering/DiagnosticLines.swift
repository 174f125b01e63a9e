import PipelineCore

extension Diagnostic {
    /// The problem in lines: what is wrong, where, and that line of the file with a caret.
    ///
    /// ```
    /// error: expected status 200, got 401 Unauthorized
    ///   home-screen.json:31:29 · requests[2].expect.status
    ///    31 |       "expect": { "status": 200 }
    ///       |                             ^^^
    /// ```
    var lines: [Line] {
        var lines = [Line.error(message)]
        lines.append(
            Line("  ") + Line(location, .accent) + Line(path.isEmpty ? "" : " · \(path)", .dim))
        lines += excerpt.map { Line($0) }
        return lines
    }
}

extension PipelineError {
    /// All problems in lines, and how many are left out.
    var lines: [Line] {
        let hidden = count - diagnostics.count
        return diagnostics.flatMap(\.lines) + (hidden > 0 ? [Line("and \(hidden) more")] : [])
    }
}
