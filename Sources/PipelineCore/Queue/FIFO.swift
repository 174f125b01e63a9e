/// A first-in, first-out queue; both ends cost constant time, spread over the calls.
struct FIFO<Element> {
    /// `nil` where an element was taken, which never is the case at `head`.
    private var elements: [Element?] = []
    private var head = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    var first: Element? { isEmpty ? nil : elements[head] }

    /// What a queue that became empty may keep for the elements to come.
    private static var keptCapacity: Int { 1_024 }

    mutating func append(_ element: Element) {
        elements.append(element)
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        return take(at: head)
    }

    /// Takes one element out of the middle; returns whether it was there.
    ///
    /// Costs the way to it from the front: next to nothing for those who take all in order.
    mutating func remove(where matches: (Element) -> Bool) -> Bool {
        guard let index = elements[head...].firstIndex(where: { $0.map(matches) ?? false })
        else { return false }
        _ = take(at: index)
        return true
    }

    /// Leaves a hole, which is closed when half of the storage is holes at the front.
    private mutating func take(at index: Int) -> Element? {
        // Releases the element now instead of when the storage is compacted.
        let element = elements[index].take()
        count -= 1
        while head < elements.count, elements[head] == nil { head += 1 }
        if head == elements.count {
            elements.removeAll(keepingCapacity: head <= Self.keptCapacity)
            head = 0
        } else if head > 32 && head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
