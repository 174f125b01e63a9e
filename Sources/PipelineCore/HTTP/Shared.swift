/// A value behind one reference, so that many may hold it at the cost of one.
package final class Shared<Value: Sendable & Hashable>: Sendable, Hashable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }

    package static func == (one: Shared, other: Shared) -> Bool {
        one === other || one.value == other.value
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}

extension Shared<ConnectionOptions> {
    /// What holds when nothing is said.
    package static let standard = Shared(ConnectionOptions())
}
