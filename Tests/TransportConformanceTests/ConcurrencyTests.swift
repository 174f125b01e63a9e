import PipelineCore
import Synchronization
import TestSupport
import Testing

@Suite("Exchanges at once", .timeLimit(.minutes(1)))
struct ConcurrencyTests {
    @Test(
        "Fifty exchanges, two at a time, need two connections of HTTP/1.1", .needsNginx,
        arguments: TransportUnderTest.all)
    func twoAtATime(_ subject: TransportUnderTest) async throws {
        let server = try NginxServer("location / { return 200 $request_uri; }")
        let transport = try subject.make()
        let left = Locked(Array((0..<50).reversed()))
        await withTaskGroup { group in
            for _ in 1...2 {
                group.addTask {
                    while let number = left.change({ $0.popLast() }) {
                        guard let request = try? server.request("GET", "/\(number)") else { return }
                        let record = await transport.record(request)
                        #expect(record.bodyText == "/\(number)")
                    }
                }
            }
        }
        let deliveries = server.stop()
        #expect(Set(deliveries.map(\.target)) == Set((0..<50).map { "/\($0)" }))
        #expect(deliveries.count == 50)
        #expect(Set(deliveries.map(\.connection)).count <= 2)
    }

    @Test("Many exchanges at once each get their own answer", arguments: TransportUnderTest.all)
    func manyAtOnce(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { request in ByteServer.http(body: request.target) }
        let transport = try subject.make()
        let recorders = (1...60).map { _ in Recorder() }
        for (number, recorder) in recorders.enumerated() {
            _ = transport.start(try server.request("GET", "/\(number)"), receiver: recorder)
        }
        for (number, recorder) in recorders.enumerated() {
            #expect(await recorder.finished().bodyText == "/\(number)")
        }
        #expect(server.requests.count == 60)
    }

    @Test(
        "An exchange may be started from inside the calls for head, body and end",
        arguments: TransportUnderTest.all)
    func startFromTheReceiver(_ subject: TransportUnderTest) async throws {
        let server = try ByteServer.answering { _ in ByteServer.http(body: "ok") }
        let transport = try subject.make()
        let request = try server.request()
        let inner = (1...3).map { _ in Recorder() }
        let bodyCount = Atomic(0)
        let outer = Recorder(
            onHead: { _ = transport.start(request, receiver: inner[0]) },
            onBody: { _ in
                if bodyCount.add(1, ordering: .relaxed).oldValue == 0 {
                    _ = transport.start(request, receiver: inner[1])
                }
                return true
            },
            onFinish: { _ = transport.start(request, receiver: inner[2]) })
        _ = transport.start(request, receiver: outer)
        for recorder in [outer] + inner {
            #expect(await recorder.finished().bodyText == "ok")
        }
    }
}
