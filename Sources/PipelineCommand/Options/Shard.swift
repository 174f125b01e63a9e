import PipelineCore

/// One of several parts that the files of a command are divided into.
struct Shard: Sendable, Hashable {
    /// From 1 on.
    let index: Int
    let count: Int

    /// Reads `I/N`, such as `2/3`.
    init(_ text: String) throws(UsageError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
            index >= 1, index <= count
        else {
            throw UsageError("expected I/N with I from 1 to N, such as 2/3, found \"\(text)\"")
        }
        self.index = index
        self.count = count
    }

    /// Which part it is, how many there are, and what the first one is called.
    private static let variables = [
        ("CI_NODE_INDEX", "CI_NODE_TOTAL", 1), ("JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", 0),
    ]

    /// What is missing where an environment says which part this is, but not of how many, so that
    /// each of them runs everything; `nil` where nothing is.
    static func gap(
        in environment: (String) -> String? = Environment.value
    ) -> String? {
        variables.first { environment($0.0) != nil && environment($0.1) == nil }
            .map { "\($0.0) is set and \($0.1) is not: all files are run" }
    }

    /// The part that a CI server or a cluster gives this process; `nil` for all files.
    ///
    /// GitLab counts from 1 (`CI_NODE_INDEX` of `CI_NODE_TOTAL`), an indexed Job of Kubernetes from
    /// 0 (`JOB_COMPLETION_INDEX`); how many there are its manifest must tell in `JOB_COMPLETIONS`.
    ///
    /// - Throws: What is wrong with a pair of variables that are both set.
    static func given(
        by environment: (String) -> String? = Environment.value
    ) throws(UsageError) -> Shard? {
        for (indexName, countName, first) in variables {
            guard let index = environment(indexName), let count = environment(countName) else {
                continue
            }
            do throws(UsageError) {
                // Text that is no number is refused below.
                return try Shard("\(Int(index).map { "\($0 - first + 1)" } ?? index)/\(count)")
            } catch {
                throw UsageError(
                    "\(indexName)=\(index) and \(countName)=\(count) name no part of the files; "
                        + "--shard goes before them")
            }
        }
        return nil
    }

    /// What belongs to this part: every N-th, so that the parts of a folder are alike in size.
    func part<Element>(of all: [Element]) -> [Element] {
        all.enumerated().filter { $0.offset % count == index - 1 }.map(\.element)
    }
}
