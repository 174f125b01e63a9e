/// A value behind one reference, so that many may hold it at the cost of one.
package final class Shared<Value: Sendable>: Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}

extension Shared: Equatable where Value: Equatable {
    package static func == (one: Shared, other: Shared) -> Bool {
        one === other || one.value == other.value
    }
}

extension Shared: Hashable where Value: Hashable {
    package func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}

extension Shared<ConnectionOptions> {
    /// What holds when nothing is said.
    package static let standard = Shared(ConnectionOptions())
}
