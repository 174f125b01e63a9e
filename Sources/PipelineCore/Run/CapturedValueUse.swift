/// Which captured values a request reads and which it brings, by slot.
struct CapturedValueUse {
    let reads: [Int]
    let writes: [Int]

    init(reads: [Int], writes: [Int]) {
        self.reads = reads
        self.writes = writes
    }

    init(_ definition: RequestDefinition) {
        self.init(reads: definition.neededSlots, writes: definition.captures.map(\.slot))
    }

    /// The earlier requests that each must wait for when several are in flight, by their places.
    ///
    /// A request waits for those that bring what it reads. One that brings a value anew waits for
    /// those that read or bring the older one, so that each sees what it would see in a run of one
    /// after the other. Only the last of each kind matters: they waited for those before.
    static func order(_ uses: [CapturedValueUse]) -> [Int: [Int]] {
        var lastWriter: [Int: Int] = [:]
        var readers: [Int: [Int]] = [:]
        var order: [Int: [Int]] = [:]
        for (place, use) in uses.enumerated() {
            var prerequisites = Set(use.reads.compactMap { lastWriter[$0] })
            for slot in use.writes {
                prerequisites.formUnion(readers[slot] ?? [])
                if let writer = lastWriter[slot] { prerequisites.insert(writer) }
            }
            for slot in use.reads { readers[slot, default: []].append(place) }
            for slot in use.writes {
                lastWriter[slot] = place
                readers[slot] = nil
            }
            if !prerequisites.isEmpty { order[place] = prerequisites.sorted() }
        }
        return order
    }
}
