/// Every name that the placeholders of a pipeline use, each with a place in the store of a run.
struct VariableTable: Sendable {
    private(set) var entries: [Entry] = []
    private var slots: [String: Int] = [:]

    struct Entry: Sendable {
        let name: String
        let source: Source
        /// Where the file declares it.
        let place: SourcePlace
    }

    /// Where the value comes from at the start of a run.
    enum Source: Sendable {
        /// From the file, unless it is given from outside.
        case declared(JSONTemplate)
        /// From outside only, and masked everywhere.
        case secret
        /// From the process's environment.
        case environment
        /// From a response, later.
        case captured
    }

    /// The place of a name; `nil` for an unknown one.
    func slot(of name: String) -> Int? { slots[name] }

    /// Adds a name, unless it is there.
    @discardableResult
    mutating func add(_ name: String, _ source: Source, at place: SourcePlace) -> Int {
        if let slot = slots[name] { return slot }
        entries.append(Entry(name: name, source: source, place: place))
        slots[name] = entries.count - 1
        return entries.count - 1
    }

    /// Sets the value of a declared variable, once all names are known.
    mutating func define(_ slot: Int, _ template: JSONTemplate) {
        let entry = entries[slot]
        entries[slot] = Entry(name: entry.name, source: .declared(template), place: entry.place)
    }
}
