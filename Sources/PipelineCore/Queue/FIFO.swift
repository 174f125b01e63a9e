/// A first-in, first-out queue; both ends cost constant time, spread over the calls.
struct FIFO<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }

    var count: Int { elements.count - head }

    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        defer { compact() }
        let first = elements[head]
        // Releases the element now instead of when the storage is compacted.
        elements[head] = nil
        head += 1
        return first
    }

    /// Takes one element out of the middle; returns whether it was there.
    mutating func remove(where matches: (Element) -> Bool) -> Bool {
        guard let index = elements[head...].firstIndex(where: { $0.map(matches) ?? false })
        else { return false }
        elements.remove(at: index)
        return true
    }

    /// Moves the elements to the front once half of the storage is used up.
    private mutating func compact() {
        guard head == elements.count || head > 32 && head * 2 > elements.count else { return }
        elements.removeFirst(head)
        head = 0
    }
}
