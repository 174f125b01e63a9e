import Synchronization

/// How often responses of an address were forgotten, so that none is kept that was asked for before.
///
/// Addresses share a fixed number of counters: now and then a response is not kept because of
/// another address, which is no more than a request for nothing.
final class CacheGenerations: Sendable {
    private let counters = (0..<64).map { _ in Counter() }

    private final class Counter: Sendable {
        let value = Atomic(0)
        /// Held while something is kept, and while the value changes.
        let lock = Mutex(())
    }

    /// The generation of the responses that are asked for from now on.
    func current(_ url: HTTPURL) -> Int {
        counter(CacheKey.address(url)).value.load(ordering: .acquiring)
    }

    /// Keeps something, unless its address was forgotten since that generation.
    func ifCurrent(_ generation: Int, of url: HTTPURL, keep: () -> Void) {
        let counter = counter(CacheKey.address(url))
        counter.lock.withLock { _ in
            if counter.value.load(ordering: .acquiring) == generation { keep() }
        }
    }

    /// Nothing is kept any more that is on its way from an address; `nil` stands for all of them.
    func end(address: String?) {
        for counter in address.map({ [counter($0)] }) ?? counters {
            counter.lock.withLock { _ in
                _ = counter.value.wrappingAdd(1, ordering: .releasing)
            }
        }
    }

    private func counter(_ address: String) -> Counter {
        counters[Int(UInt(bitPattern: address.hashValue) % UInt(counters.count))]
    }
}
