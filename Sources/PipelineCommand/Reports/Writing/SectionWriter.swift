import Synchronization

/// Writes the part of one report that is about one file, and keeps it until the report is put
/// together.
///
/// Requests are kept in the order in which they ended, and come out in the order of the file. One
/// that nothing is written for has no separator either.
final class SectionWriter: Sendable {
    private let spool: ReportSpool
    private let separator: [UInt8]
    private let state: Mutex<State>

    private struct State {
        var section: any ReportSection
        var text: [UInt8] = []
        var runs: [Run] = []
        var frame = ReportFrame()
    }

    /// Requests that follow each other in the file and were written one after the other.
    private struct Run {
        let first: Int
        var last: Int
        /// Where they are in the spool; what is not there yet follows.
        var ranges: [Range<Int>] = []
        var isEmpty = true
    }

    init(_ section: any ReportSection, itemSeparator: String, spool: ReportSpool) {
        self.spool = spool
        separator = Array(itemSeparator.utf8)
        state = Mutex(State(section: section))
    }

    /// Adds a request that has ended.
    func write(_ request: ReportedRequest) {
        state.withLock { state in
            if state.runs.last?.last != request.position - 1 {
                spill(&state)
                state.runs.append(Run(first: request.position, last: request.position))
            }
            let index = state.runs.count - 1
            state.runs[index].last = request.position
            let lead = state.runs[index].isEmpty ? [] : separator
            state.text += lead
            let start = state.text.count
            state.section.write(request, to: &state.text)
            if state.text.count > start {
                state.runs[index].isEmpty = false
            } else {
                state.text.removeLast(lead.count)
            }
            if state.text.count >= ReportSpool.largePiece { spill(&state) }
        }
    }

    /// The run of the file is over.
    func end(_ summary: ReportedSummary) {
        state.withLock { state in
            spill(&state)
            let hasItems = state.runs.contains { !$0.isEmpty }
            state.frame = state.section.frame(summary, hasItems: hasItems)
        }
    }

    /// Whether there is nothing to be written; known once the run of the file is over.
    var isEmpty: Bool {
        state.withLock { state in
            state.frame.before.isEmpty && state.frame.after.isEmpty
                && state.runs.allSatisfy(\.isEmpty)
        }
    }

    /// Writes all of it to the report.
    func join(into output: inout ReportOutput) {
        let (frame, runs) = state.withLock { ($0.frame, $0.runs) }
        output.write(frame.before)
        let filled = runs.filter { !$0.isEmpty }.sorted { $0.first < $1.first }
        for (index, run) in filled.enumerated() {
            if index > 0 { output.write(separator) }
            for range in run.ranges { spool.read(range) { output.write(part: $0) } }
        }
        output.write(frame.after)
    }

    private func spill(_ state: inout State) {
        guard !state.text.isEmpty else { return }
        let range = spool.append(state.text)
        state.text.removeAll(keepingCapacity: true)
        let index = state.runs.count - 1
        if state.runs[index].ranges.last?.upperBound == range.lowerBound {
            let start = state.runs[index].ranges.removeLast().lowerBound
            state.runs[index].ranges.append(start..<range.upperBound)
        } else {
            state.runs[index].ranges.append(range)
        }
    }
}
