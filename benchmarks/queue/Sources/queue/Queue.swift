import PipelineCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a queue costs beside the network: a transport that answers at once.
@main
enum Queue {
    /// Answers every request before `start` returns, and allocates nothing.
    private struct Immediate: Transport, Exchange {
        private let head = HTTPResponse.Head(status: 200)

        func start(_ request: HTTPRequest, receiver: any ResponseReceiver) -> any Exchange {
            receiver.receiveHead(head)
            receiver.finish(.success(ExchangeMetrics()))
            return self
        }

        func cancel() {}
    }

    static func main() async throws {
        let request = try HTTPRequest.get("http://localhost/a")
        for count in [10, 100, 1_000, 10_000, 100_000, 1_000_000] {
            report("enqueue, send, complete", count) { one($0, request) }
        }
        for count in [10, 1_000, 100_000, 1_000_000] {
            report("enqueue all, then send all", count) { waiting($0, request) }
        }
        for count in [1_000, 10_000, 100_000] {
            report("cancel all of a queue", count) { cancelAll($0, request) }
            report("cancel one after the other", count) { cancelEach($0, request) { $0 } }
            report("cancel one after the other, from the back", count) {
                cancelEach($0, request) { $0.reversed() }
            }
            report("cancel one after the other, in any order", count) {
                cancelEach($0, request) { $0.shuffled() }
            }
        }
        let before = residentBytes()
        for _ in 0..<10 { _ = one(1_000_000, request) }
        let growth = (residentBytes() - before) / 1_024
        print("memory after 10,000,000 records more: \(growth) KiB")
    }

    /// One after the other, each released when it has ended.
    private static func one(_ count: Int, _ request: HTTPRequest) -> Duration {
        let completed = Atomic(0)
        let queue = RequestQueue(transport: Immediate())
        let time = ContinuousClock().measure {
            for _ in 0..<count {
                queue.enqueue(RequestRecord(name: "a", request: request)) { _ in
                    completed.add(1, ordering: .relaxed)
                }
            }
        }
        precondition(completed.load(ordering: .relaxed) == count)
        return time
    }

    private static func waiting(_ count: Int, _ request: HTTPRequest) -> Duration {
        let completed = Atomic(0)
        let queue = RequestQueue(transport: Immediate())
        let time = ContinuousClock().measure {
            queue.suspend()
            for _ in 0..<count {
                queue.enqueue(RequestRecord(name: "a", request: request)) { _ in
                    completed.add(1, ordering: .relaxed)
                }
            }
            queue.resume()
        }
        precondition(completed.load(ordering: .relaxed) == count)
        return time
    }

    private static func filled(
        _ count: Int, _ request: HTTPRequest
    ) -> (RequestQueue, [RequestRecord]) {
        let queue = RequestQueue(transport: Immediate())
        queue.suspend()
        let records = (0..<count).map { _ in RequestRecord(name: "a", request: request) }
        queue.enqueue(records)
        return (queue, records)
    }

    private static func cancelAll(_ count: Int, _ request: HTTPRequest) -> Duration {
        let (queue, records) = filled(count, request)
        let time = ContinuousClock().measure { queue.cancelAll() }
        precondition(records.allSatisfy { $0.hasEnded })
        return time
    }

    private static func cancelEach(
        _ count: Int, _ request: HTTPRequest, order: ([RequestRecord]) -> [RequestRecord]
    ) -> Duration {
        let (queue, records) = filled(count, request)
        let due = order(records)
        let time = ContinuousClock().measure { for record in due { queue.cancel(record) } }
        precondition(records.allSatisfy { $0.hasEnded })
        return time
    }

    /// Prints the median of five runs.
    private static func report(_ name: String, _ count: Int, _ work: (Int) -> Duration) {
        let times = (0..<5).map { _ in work(count) }.sorted()
        let each = Int(times[2] / .nanoseconds(count))
        let total = Int(times[2] / .microseconds(1))
        print("\(name): \(count) records, \(each) ns each, \(total) µs in all")
    }

    private static func residentBytes() -> Int {
        #if os(Linux)
            guard let file = fopen("/proc/self/statm", "r") else { return 0 }
            defer { fclose(file) }
            var buffer = [CChar](repeating: 0, count: 256)
            guard fgets(&buffer, 256, file) != nil else { return 0 }
            let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            return pages * Int(getpagesize())
        #else
            return 0
        #endif
    }
}
