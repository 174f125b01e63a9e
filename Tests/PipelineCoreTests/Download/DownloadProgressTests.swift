import Testing

@testable import PipelineCore

@Suite("How much of a download has come")
struct DownloadProgressTests {
    private func calls(_ fields: HTTPFields, parts: [Int]) -> [Int] {
        var progress = DownloadProgress(HTTPResponse.Head(status: 200, fields: fields))
        var calls: [Int] = []
        if progress.tellAll() { calls.append(progress.received) }
        for part in parts where progress.add(part) { calls.append(progress.received) }
        if progress.tellAll() { calls.append(progress.received) }
        return calls
    }

    @Test("It is told at the beginning and at the end, and not for every little part")
    func small() {
        #expect(
            calls(["Content-Length": "100"], parts: Array(repeating: 1, count: 100)) == [0, 100])
        #expect(calls([:], parts: []) == [0])
        #expect(calls([:], parts: [65_535, 1, 5]) == [0, 65_536, 65_541])
    }

    @Test("It is told at most a hundred times and once, of whatever size")
    func large() {
        let parts = Array(repeating: 16_384, count: 65_536)
        let known = calls(["Content-Length": "\(1 << 30)"], parts: parts)
        #expect(known.count <= 102)
        #expect(known.last == 1 << 30)
        let unknown = calls([:], parts: parts)
        #expect(unknown.count < 1_200)
        #expect(unknown == unknown.sorted())
        #expect(unknown.last == 1 << 30)
    }

    @Test(
        "What is expected is what the head says, of a body that is not coded",
        arguments: [
            (["Content-Length": "7"], 7), (["Content-Length": "+7"], nil), ([:], nil),
            (["Content-Length": "7", "Content-Encoding": "gzip"], nil),
            (["Content-Length": "7", "Content-Encoding": "Identity"], 7),
            (["Content-Length": "99999999999999999999"], nil), (["Content-Length": ""], nil),
        ] as [(HTTPFields, Int?)])
    func expected(fields: HTTPFields, expected: Int?) {
        let head = HTTPResponse.Head(status: 200, fields: fields)
        #expect(DownloadProgress(head).expected == expected)
    }
}
