import PipelineCore

/// What a command is at: its files, and their requests that are in flight.
struct ProgressState: Sendable {
    private let fileCount: Int
    private var doneCount = 0
    private var failedCount = 0
    /// Those that are running, in the order in which they were started.
    private var files: [File] = []

    private struct File: Sendable {
        let number: Int
        let name: String
        let startedAt: ContinuousClock.Instant
        var steps: [Step] = []
    }

    /// A request in flight.
    struct Step: Sendable {
        /// Its place in its file.
        let position: Int
        let name: String
        /// How its line in the table of results begins.
        let tableStart: String
        let startedAt: ContinuousClock.Instant
        /// What it is at in the moment of the call.
        let progress: @Sendable () -> RequestProgress?
    }

    init(fileCount: Int) {
        self.fileCount = fileCount
    }

    /// A file of that path, as it may be shown, is run.
    mutating func begin(_ number: Int, name: String, at now: ContinuousClock.Instant) {
        let name = name.split(separator: "/").last.map(String.init) ?? name
        files.append(File(number: number, name: name, startedAt: now))
    }

    /// A request of a file is in flight.
    mutating func start(_ step: Step, in number: Int) {
        change(number) { $0.append(step) }
    }

    /// It has ended.
    mutating func end(_ position: Int, in number: Int) {
        change(number) { steps in steps.removeAll { $0.position == position } }
    }

    /// A file has ended, whether it was run or was not valid.
    mutating func end(_ number: Int, hasFailed: Bool) {
        files.removeAll { $0.number == number }
        doneCount += 1
        if hasFailed { failedCount += 1 }
    }

    private mutating func change(_ number: Int, _ body: (inout [Step]) -> Void) {
        guard let index = files.firstIndex(where: { $0.number == number }) else { return }
        body(&files[index].steps)
    }

    /// How to show it: the requests of a file that runs alone, or else the files.
    func line(at now: ContinuousClock.Instant) -> ProgressLine {
        let running =
            files.count > 1
            ? files.map { ProgressLine.Running(name: $0.name, elapsed: now - $0.startedAt) }
            : files.flatMap(\.steps).map { step in
                ProgressLine.Running(
                    name: step.name, tableStart: step.tableStart, elapsed: now - step.startedAt,
                    progress: step.progress())
            }
        let counts = ProgressLine.Files(done: doneCount, all: fileCount, failed: failedCount)
        return ProgressLine(files: fileCount > 1 ? counts : nil, running: running)
    }
}
