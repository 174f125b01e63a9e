/// Which requests of a pipeline take part in a run; the others are reported as skipped.
///
/// Those of `finally` take part unless ``only`` says otherwise, without those that read a value
/// which nothing captures any more: what was not made needs no cleaning up.
public struct RequestSelection: Sendable, Hashable {
    /// The name of the first request that takes part; `nil` for the first of the file.
    public var first: String?
    /// The name of the last one before `finally`; `nil` for the last of the file.
    public var last: String?
    /// The names of those that take part, of `finally` as well, instead of a range; empty for all.
    public var only: [String] = []

    /// All requests.
    public init() {}

    /// Whether it leaves nothing out.
    package var isEverything: Bool { self == RequestSelection() }
}

extension Pipeline {
    /// The requests that take part in a run, by their positions, those of `finally` last.
    ///
    /// - Throws: ``PipelineError`` for a name that there is not, a range that is none, a request
    ///   that is asked for and disabled, and one that needs what a request left out captures.
    package func positions(
        of selection: RequestSelection = RequestSelection()
    ) throws(PipelineError) -> Set<Int> {
        let all = requests + finally
        let enabled = Set(all.indices.filter { all[$0].isEnabled })
        guard !selection.isEverything else { return enabled }
        var named: [Int]
        do throws(SelectionProblem) {
            named =
                try selection.only.isEmpty
                ? Array(range(of: selection)) : selection.only.map(enabledPosition)
        } catch {
            throw PipelineError(Diagnostic(error.message, file: source.name))
        }
        let selected = enabled.intersection(named)
        try check(selected, of: enabled)
        guard selection.only.isEmpty else { return selected }
        let cleanUp = enabled.filter { position in
            position >= requests.count && missingSource(of: position, selected, enabled) == nil
        }
        return selected.union(cleanUp)
    }

    private func range(of selection: RequestSelection) throws(SelectionProblem) -> Range<Int> {
        let first = try selection.first.map(rangePosition) ?? 0
        let last = try selection.last.map(rangePosition) ?? requests.count - 1
        guard first <= last else {
            throw SelectionProblem(
                "\"\(requests[first].name)\" comes after \"\(requests[last].name)\": there is "
                    + "nothing between them")
        }
        return first..<last + 1
    }

    private func rangePosition(_ name: String) throws(SelectionProblem) -> Int {
        let position = try position(name)
        guard position < requests.count else {
            throw SelectionProblem(
                "\"\(name)\" is a request of finally, where no range begins or ends")
        }
        return position
    }

    private func enabledPosition(_ name: String) throws(SelectionProblem) -> Int {
        let position = try position(name)
        guard (requests + finally)[position].isEnabled else {
            throw SelectionProblem("the request \"\(name)\" is not enabled")
        }
        return position
    }

    private func position(_ name: String) throws(SelectionProblem) -> Int {
        let names = (requests + finally).map(\.name)
        guard let position = names.firstIndex(of: name) else {
            throw SelectionProblem(
                "there is no request \"\(name)\"\(NearestName.hint(name, among: names))")
        }
        return position
    }

    /// Refuses requests that could only be cancelled, because nothing captures what they read.
    private func check(_ selected: Set<Int>, of enabled: Set<Int>) throws(PipelineError) {
        let all = requests + finally
        let problems = selected.sorted().compactMap { position -> Problem? in
            guard let (slot, writer) = missingSource(of: position, selected, enabled) else {
                return nil
            }
            let name = variables.entries[slot].name
            return Problem(
                message: "\"\(all[position].name)\" needs {{\(name)}}, which "
                    + "\"\(all[writer].name)\" captures, and that is left out; select it too, or "
                    + "declare \"\(name)\" in \"variables\" and give it a value",
                place: all[position].place)
        }
        guard problems.isEmpty else { throw PipelineError(problems, in: source) }
    }

    /// A value that a request reads and that only requests left out would capture before it.
    private func missingSource(
        of position: Int, _ selected: Set<Int>, _ enabled: Set<Int>
    ) -> (slot: Int, writer: Int)? {
        let all = requests + finally
        for slot in all[position].neededSlots {
            let writers = enabled.filter { writer in
                writer < position && all[writer].captures.contains { $0.slot == slot }
            }
            if let writer = writers.max(), writers.isDisjoint(with: selected) {
                return (slot, writer)
            }
        }
        return nil
    }
}

/// Why requests cannot be selected so.
private struct SelectionProblem: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
