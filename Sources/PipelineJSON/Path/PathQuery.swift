/// A query of RFC 9535 in compiled form: a whole path, or one within a filter.
struct PathQuery: Sendable {
    enum Start {
        /// `$`, the value that the whole path is applied to.
        case root
        /// `@`, the node that a filter looks at.
        case current
    }

    let start: Start

    /// Numbers the queries within filters that begin at the root: each has one result for all nodes.
    let cacheIndex: Int?

    let segments: [PathSegment]

    /// Whether it gives one node at most (RFC 9535 section 2.3.5.1).
    var isSingular: Bool { segments.allSatisfy { $0.singularSelector != nil } }
}

/// Selects children of each node that is given, or of all its descendants and itself.
struct PathSegment: Sendable {
    let isDescendant: Bool
    let selectors: [PathSelector]

    /// The one name or index; nil for what can select several nodes.
    var singularSelector: PathSelector? {
        guard !isDescendant, selectors.count == 1 else { return nil }
        return switch selectors[0] {
        case .name, .index: selectors[0]
        case .wildcard, .slice, .filter: nil
        }
    }
}

/// Selects children of one node (RFC 9535 section 2.3).
enum PathSelector: Sendable {
    /// A name in UTF-8: bytes, since `String` holds canonically equivalent names for equal.
    case name([UInt8])
    /// A place from the start, or from the end when it is negative.
    case index(Int)
    case wildcard
    case slice(PathSlice)
    case filter(PathFilter)
}

/// Every so many elements of an array, forwards or backwards.
struct PathSlice: Sendable {
    var start: Int?
    var end: Int?
    var step = 1

    /// The places of the elements it selects, by the rules of RFC 9535 section 2.3.4.2.2.
    func places(count: Int) -> StrideTo<Int> {
        let normalized = { (place: Int) in place < 0 ? count + place : place }
        guard step != 0 else { return stride(from: 0, to: 0, by: 1) }
        if step > 0 {
            let bounds = 0...count
            return stride(
                from: normalized(start ?? 0).clamped(to: bounds),
                to: normalized(end ?? count).clamped(to: bounds), by: step)
        }
        let bounds = -1...max(count - 1, -1)
        return stride(
            from: normalized(start ?? count - 1).clamped(to: bounds),
            to: (end.map(normalized) ?? -1).clamped(to: bounds), by: step)
    }
}

extension Int {
    fileprivate func clamped(to bounds: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, bounds.lowerBound), bounds.upperBound)
    }
}
