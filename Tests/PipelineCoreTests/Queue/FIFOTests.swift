import TestSupport
import Testing

@testable import PipelineCore

@Suite("First in, first out")
struct FIFOTests {
    @Test("Whatever is added and taken, it holds what a plain list would")
    func random() {
        var generator = SeededGenerator(seed: printedSeed("first in, first out"))
        for _ in 0..<200 {
            var queue = FIFO<Int>()
            var model: [(place: Int, element: Int)] = []
            for element in 0..<300 {
                switch Int.random(in: 0..<5, using: &generator) {
                case 0, 1: model.append((queue.append(element), element))
                case 2:
                    #expect(queue.popFirst() == model.first?.element)
                    if !model.isEmpty { model.removeFirst() }
                default:
                    guard let index = model.indices.randomElement(using: &generator) else {
                        continue
                    }
                    let (place, element) = model.remove(at: index)
                    #expect(queue.remove(at: place) == element)
                    #expect(queue.remove(at: place) == nil, "it has gone")
                }
                #expect(queue.count == model.count)
                #expect(queue.isEmpty == model.isEmpty)
                #expect(queue.first == model.first?.element)
            }
            #expect(queue.places.map(\.place) == model.map(\.place))
            #expect(queue.places.map(\.element) == model.map(\.element))
        }
    }
}
