/// Applies a compiled path to one value: nodes are indices into the value's document, nothing is copied.
///
/// Descendants are the nodes that follow in the document's one array, so depth takes no stack; what
/// recurses is the nesting of the path, which the parser bounds.
struct PathEvaluation {
    let document: JSONDocument
    private let root: Int

    /// The results of queries within filters that begin at the root, by `cacheIndex`.
    private var steps = 0
    private var cache: [Int: [Int]] = [:]

    private var patterns = PatternCache()

    init(root: JSONValue) {
        document = root.document
        self.root = root.index
    }

    mutating func nodes(of query: PathQuery, at current: Int) -> [Int] {
        guard query.start == .root else { return select(query.segments, from: current) }
        if let index = query.cacheIndex, let nodes = cache[index] { return nodes }
        let nodes = select(query.segments, from: root)
        if let index = query.cacheIndex { cache[index] = nodes }
        return nodes
    }

    private mutating func select(_ segments: [PathSegment], from start: Int) -> [Int] {
        var nodes = [start]
        for segment in segments {
            var selected: [Int] = []
            for node in nodes {
                // Nested descendants multiply: nobody reads the answer when the time is over.
                steps += 1
                if steps.isMultiple(of: 1_024), MatchingTime.isOver { return [] }
                if segment.isDescendant {
                    appendDescendants(of: node, segment.selectors, to: &selected)
                } else {
                    for selector in segment.selectors { append(selector, of: node, to: &selected) }
                }
            }
            nodes = selected
        }
        return nodes
    }

    private mutating func appendDescendants(
        of node: Int, _ selectors: [PathSelector], to selected: inout [Int]
    ) {
        /// Values of doubled names that do not count, as what they hold does not.
        var hidden: Set<Int> = []
        var index = node
        let end = document.next(after: node)
        while index < end {
            if !hidden.isEmpty, hidden.contains(index) {
                index = document.next(after: index)
                continue
            }
            if document.nodes[index].isContainer {
                hidden.formUnion(document.hiddenValues(of: index))
                for selector in selectors { append(selector, of: index, to: &selected) }
            }
            index += 1
        }
    }

    private mutating func append(
        _ selector: PathSelector, of node: Int, to selected: inout [Int]
    ) {
        switch selector {
        case .name, .index:
            if let child = child(selector, of: node) { selected.append(child) }
        case .wildcard:
            selected += document.children(of: node)
        case .slice(let slice):
            guard document.nodes[node].kind == .array else { return }
            let elements = document.children(of: node)
            selected += slice.places(count: elements.count).lazy.map { elements[$0] }
        case .filter(let filter):
            for child in document.children(of: node) where holds(filter, at: child) {
                selected.append(child)
            }
        }
    }

    private func child(_ selector: PathSelector, of node: Int) -> Int? {
        switch selector {
        case .name(let name) where document.nodes[node].isObject:
            name.withUnsafeBufferPointer { document.value(ofMember: $0, in: node) }
        case .index(let place): document.element(at: place, of: node)
        default: nil
        }
    }

    /// The only node of a singular query, found without building a list.
    private func node(ofSingular query: PathQuery, at current: Int) -> Int? {
        var node = query.start == .root ? root : current
        for segment in query.segments {
            guard let child = child(segment.selectors[0], of: node) else { return nil }
            node = child
        }
        return node
    }

    private func value(at index: Int) -> JSONValue { JSONValue(document: document, index: index) }
}

extension PathEvaluation {
    private mutating func holds(_ filter: PathFilter, at node: Int) -> Bool {
        switch filter {
        case .any(let filters):
            for filter in filters where holds(filter, at: node) { return true }
            return false
        case .all(let filters):
            for filter in filters where !holds(filter, at: node) { return false }
            return true
        case .not(let filter):
            return !holds(filter, at: node)
        case .exists(let query):
            return query.isSingular
                ? self.node(ofSingular: query, at: node) != nil
                : !nodes(of: query, at: node).isEmpty
        case .comparison(let left, let comparison, let right):
            return comparison.holds(value(of: left, at: node), value(of: right, at: node))
        case .pattern(let pattern, let isWhole, let text):
            guard let text = value(of: text, at: node), text.kind == .string,
                let expression = expression(of: pattern, at: node)
            else { return false }
            return text.content.withUTF8 {
                isWhole ? expression.matchesWhole($0) : expression.isFound(in: $0)
            }
        }
    }

    private mutating func value(of operand: PathOperand, at node: Int) -> JSONValue? {
        switch operand {
        case .literal(let value):
            return value
        case .query(let query):
            return self.node(ofSingular: query, at: node).map(value)
        case .length(let operand):
            return value(of: operand, at: node)?.length.map { JSONValue($0) }
        case .count(let query):
            return JSONValue(nodes(of: query, at: node).count)
        case .value(let query):
            let nodes = nodes(of: query, at: node)
            guard nodes.count == 1 else { return nil }
            return value(at: nodes[0])
        }
    }

    private mutating func expression(of pattern: PathPattern, at node: Int) -> RegularExpression? {
        switch pattern {
        case .literal(let expression):
            return expression
        case .computed(let operand):
            guard let pattern = value(of: operand, at: node), pattern.kind == .string else {
                return nil
            }
            return patterns.expression(of: pattern.content)
        }
    }
}

extension JSONValue {
    /// What `length` gives (RFC 9535 section 2.4.4): a string's scalars, an array's or object's children.
    fileprivate var length: Int? {
        switch kind {
        case .string: content.utf8.reduce(0) { UTF8.isContinuation($1) ? $0 : $0 + 1 }
        case .array: count
        case .object: document.children(of: index).count
        default: nil
        }
    }
}
