import Testing

@testable import PipelineCommand

@Suite("Exit codes")
struct SeverityTests {
    @Test("The most serious code wins, in either order (O32)")
    func severity() {
        let order: [ExitCode] = [
            .success, .failure, .incomplete, .output, .usage, .interrupted(by: 2),
        ]
        #expect(order.map(\.status) == [0, 1, 3, 4, 2, 130])
        for (index, worse) in order.enumerated() {
            for milder in order[...index] {
                #expect(milder.or(worse) == worse)
                #expect(worse.or(milder) == worse)
            }
        }
    }
}
