import TestSupport
import Testing

@Suite("The servers of these tests", .timeLimit(.minutes(1)))
struct ServerTests {
    @Test("nginx is gone when it is ended while it starts", .needsNginx)
    func endedAtOnce() throws {
        for _ in 1...20 {
            #expect(try NginxServer("location / { return 200 ok; }").stop().isEmpty)
        }
    }
}
