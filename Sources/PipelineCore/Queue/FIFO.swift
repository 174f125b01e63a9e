/// A first-in, first-out queue; every call costs constant time, spread over the calls.
struct FIFO<Element> {
    /// `nil` where an element was taken, which never is the case at `head`.
    private var elements: [Element?] = []
    private var head = 0
    /// How many places there were before those of `elements`.
    private var dropped = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    var first: Element? { isEmpty ? nil : elements[head] }

    /// What a queue that became empty may keep for the elements to come.
    private static var keptCapacity: Int { 1_024 }

    /// Adds an element, and returns its place: a number that no other element ever has.
    @discardableResult
    mutating func append(_ element: Element) -> Int {
        elements.append(element)
        count += 1
        return dropped + elements.count - 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        return take(at: head)
    }

    /// Takes the element at a place, also out of the middle; `nil` when it has gone.
    mutating func remove(at place: Int) -> Element? {
        let index = place - dropped
        guard elements.indices.contains(index), elements[index] != nil else { return nil }
        return take(at: index)
    }

    /// The elements with their places, in order.
    var places: some Sequence<(place: Int, element: Element)> {
        (head..<elements.count).lazy.compactMap { index in
            elements[index].map { (dropped + index, $0) }
        }
    }

    /// Leaves a hole, which is closed when half of the storage is holes at the front.
    private mutating func take(at index: Int) -> Element? {
        // Releases the element now instead of when the storage is compacted.
        let element = elements[index].take()
        count -= 1
        while head < elements.count, elements[head] == nil { head += 1 }
        if head == elements.count {
            dropped += head
            elements.removeAll(keepingCapacity: head <= Self.keptCapacity)
            head = 0
        } else if head > 32 && head * 2 > elements.count {
            dropped += head
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
