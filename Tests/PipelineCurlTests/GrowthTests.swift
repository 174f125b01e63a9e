import PipelineCore
import PipelineCurl
import TestSupport
import Testing

/// Each in a process of its own, where nothing else opens files or takes memory.
@Suite("What many exchanges leave behind", .timeLimit(.minutes(1)))
struct GrowthTests {
    @Test(
        "A thousand exchanges by a hundred transports leave no descriptor, thread or memory",
        .enabled(if: NginxServer.isAvailable, "needs nginx"))
    func manyTransports() async {
        await #expect(processExitsWith: .success) {
            // 444 is nginx's way to say nothing and close.
            let server = try NginxServer("location / { return 200; } location /no { return 444; }")
            func batch() async throws {
                let transport = CurlTransport()
                for number in 0..<10 {
                    // Options that change each time, and failures, are exchanges too.
                    var request = try server.request("PUT", number == 9 ? "/no" : "/")
                    if number.isMultiple(of: 3) { request.connection.addressFamily = .ipv4 }
                    if number.isMultiple(of: 4) {
                        request.connection.resolutions = ["a.test:80:127.0.0.1"]
                        request.connection.reroutes = ["b.test:80:c.test:81"]
                    }
                    if number.isMultiple(of: 2) {
                        request.body = .pieces([.bytes([UInt8](repeating: 1, count: 100))])
                    }
                    let record = await transport.record(request)
                    #expect((record.error == nil) == (number != 9))
                }
                transport.shutDown()
            }
            for _ in 1...20 { try await batch() }
            let (descriptors, memory) = (Usage.descriptors, Usage.memory)
            for _ in 1...100 { try await batch() }
            #expect(Usage.memory - memory < 2_000_000)
            #expect(Usage.descriptors <= descriptors)
            #expect(Usage.threads < 20)
        }
    }

    @Test(
        "Refused certificates leave nothing behind either",
        .enabled(
            if: NginxServer.isAvailable && CertificateAuthority.isAvailable,
            "needs nginx and openssl"))
    func refusedCertificates() async {
        await #expect(processExitsWith: .success) {
            let authority = try CertificateAuthority()
            let server = try NginxServer(tls: NginxServer.TLS(try authority.issueForLoopback()))
            let transport = CurlTransport()
            func batch() async throws {
                for _ in 1...20 {
                    var request = try server.request()
                    #expect(await transport.record(request).error?.code == .tls)
                    request.connection.tls.authorities = authority.certificate
                    #expect(await transport.record(request).error == nil)
                }
            }
            try await batch()
            let (descriptors, memory) = (Usage.descriptors, Usage.memory)
            for _ in 1...4 { try await batch() }
            #expect(Usage.descriptors <= descriptors)
            #expect(Usage.memory - memory < 2_000_000)
        }
    }

    @Test(
        "A large file takes no more memory to send than a small one",
        .enabled(if: NginxServer.isAvailable, "needs nginx"))
    func largeFile() async {
        await #expect(processExitsWith: .success) {
            let size = 200_000_000
            let server = try NginxServer("location / { dav_methods PUT; }")
            try server.writeSparse(size, as: "source")
            let path = "\(server.root)/source"
            let transport = CurlTransport()
            func send(_ size: Int) async throws {
                let request = try server.request(
                    "PUT", "/target", body: .pieces([.file(path: path, size: size)]))
                let record = await transport.record(request)
                #expect(record.status.map { 200..<300 ~= $0 } == true, "\(record)")
            }
            try await send(1_000_000)
            let memory = Usage.memory
            #expect(memory > 0)
            try await send(size)
            #expect(Usage.memory - memory < 4_000_000)
            #expect(server.stop().last.map { $0.requestSize > size } == true)
        }
    }
}
