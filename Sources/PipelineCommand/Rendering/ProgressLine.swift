import PipelineCore

/// What is running, on one line below the results.
///
/// ```
///   … profile   GET  /me         1.2 s   attempt 2 of 3   4.1 MB of 12 MB
///   [###-------] 3 of 10 files, 1 failed   … checkout   1.2 s
/// ```
///
/// Where there is no room for all of it, what helps least is left out.
struct ProgressLine: Sendable {
    /// How far the files are; `nil` for a single one.
    var files: Files?
    /// What is in flight, the oldest first: requests of a file, or files side by side.
    var running: [Running]

    /// How far the files are.
    struct Files: Sendable {
        let done: Int
        let all: Int
        let failed: Int
    }

    /// A request or a file that is running.
    struct Running: Sendable {
        let name: String
        /// How its line in the table of results begins; `nil` for a file.
        var tableStart: String?
        let elapsed: Duration
        var progress: RequestProgress?
    }

    /// So much of a name is worth a place.
    private static let leastName = 8
    /// So much room is worth saying what is running, behind how far the files are.
    private static let leastRoom = 20

    /// The line in no more than so many columns; `nil` when there is nothing to show.
    func text(width: Int) -> String? {
        guard let files else {
            guard let first = running.first else { return nil }
            if running.count == 1, let start = first.tableStart {
                let line = start + Self.joined(first.facts)
                if line.displayWidth <= width { return line }
            }
            return ("  " + shown(width: width - 2)).cut(toWidth: width)
        }
        let starts = files.forms.map { "  \($0)" }
        func first(leaving room: Int) -> String? {
            starts.first { $0.displayWidth + room <= width }
        }
        if !running.isEmpty, let start = first(leaving: 3 + Self.leastRoom) {
            return "\(start)   \(shown(width: width - start.displayWidth - 3))"
        }
        return first(leaving: 0) ?? starts.last?.cut(toWidth: width)
    }

    private func shown(width: Int) -> String {
        guard let first = running.first else { return "" }
        let isAlone = running.count == 1
        let facts = isAlone ? first.facts : [DurationText.shown(first.elapsed)]
        for count in facts.indices.reversed() {
            let end = "   " + Self.joined(facts[...count])
            let room = width - 2 - end.displayWidth
            if room >= min(Self.leastName, names.displayWidth) {
                return "… \(names.cut(toWidth: room))\(end)"
            }
        }
        return "… \(names)".cut(toWidth: width)
    }

    private var names: String {
        let shown = running.prefix(2).map(\.name).joined(separator: ", ")
        return running.count > 2 ? "\(shown) and \(running.count - 2) more" : shown
    }

    private static func joined(_ facts: some Sequence<String>) -> String {
        facts.joined(separator: "   ")
    }
}

extension ProgressLine.Files {
    private static let barWidth = 10

    /// Ways to say it, the longest first.
    fileprivate var forms: [String] {
        let filled = done * Self.barWidth / max(1, all)
        let bar =
            String(repeating: "#", count: filled)
            + String(repeating: "-", count: Self.barWidth - filled)
        let failures = failed > 0 ? ", \(failed) failed" : ""
        let words = "\(done) of \(all) files\(failures)"
        return ["[\(bar)] \(words)", words, "\(done)/\(all)\(failures)"]
    }
}

extension ProgressLine.Running {
    /// A body smaller than this is not worth watching.
    private static let largeBody = 65_536

    /// What is known of it, the most helpful first.
    fileprivate var facts: [String] {
        [DurationText.shown(elapsed), attempt, body].compactMap(\.self)
    }

    private var attempt: String? {
        guard let progress else { return nil }
        let isFirst = progress.attempt == 1
        switch progress.phase {
        case .waiting(let rest):
            guard rest > .zero else { return nil }
            return "waiting \(DurationText.shown(rest))"
                + (isFirst ? "" : " before attempt \(progress.attempt)")
        case .receiving:
            return isFirst ? nil : "attempt \(progress.attempt) of \(progress.attemptLimit)"
        }
    }

    private var body: String? {
        guard case .receiving(let count, let total)? = progress?.phase, count > 0,
            max(count, total ?? 0) >= Self.largeBody
        else { return nil }
        return ByteSize(count).shown + (total.map { " of \(ByteSize($0).shown)" } ?? "")
    }
}
