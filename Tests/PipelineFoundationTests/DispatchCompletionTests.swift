import Dispatch
import Foundation
import PipelineCore
import PipelineFoundation
import Testing

@Suite("Completions on a dispatch queue", .timeLimit(.minutes(1)))
struct DispatchCompletionTests {
    @Test("come once each, in order and there")
    func order() async throws {
        let key = DispatchSpecificKey<Bool>()
        let target = DispatchQueue(label: "completions")
        target.setSpecific(key: key, value: true)
        let queue = RequestQueue(transport: ScriptedTransport { _ in .respond() })
        let url = try #require(URL(string: "http://test/a?b=c"))
        let numbers: [Int] = await withCheckedContinuation { continuation in
            // Only the dispatch queue changes it.
            nonisolated(unsafe) var numbers: [Int] = []
            for number in 0..<100 {
                guard let request = try? HTTPRequest.get(url) else { continue }
                queue.enqueue(RequestRecord(request: request), on: target) { state, result in
                    guard DispatchQueue.getSpecific(key: key) == true, state == .success,
                        (try? result.get().status) == 200
                    else { return }
                    numbers.append(number)
                    if numbers.count == 100 { continuation.resume(returning: numbers) }
                }
            }
        }
        #expect(numbers == Array(0..<100))
    }
}
