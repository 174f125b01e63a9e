import TestSupport
import Testing

@testable import PipelineCore

@Suite("Downloads", .timeLimit(.minutes(1)))
struct DownloaderTests {
    private func downloader(
        _ options: Downloader.Options = .init(),
        _ script: @escaping @Sendable (HTTPRequest) -> ScriptedTransport.Step
    ) -> Downloader {
        Downloader(transport: ScriptedTransport(script), options: options)
    }

    private func url(_ target: String = "/") throws -> HTTPURL {
        try HTTPURL("http://example.org\(target)")
    }

    /// Downloads what has to fail, and returns why.
    private func failure(
        _ downloader: Downloader, to destination: Downloader.Destination = .memory
    ) async throws -> DownloadError? {
        let url = try url()
        return await #expect(throws: DownloadError.self) {
            try await downloader.download(url, to: destination)
        }
    }

    @Test("A download of an address ends some time; one of a request when the request says")
    func timeouts() async throws {
        let transport = ScriptedTransport { _ in .respond() }
        var options = Downloader.Options()
        #expect(options.timeout == .seconds(600))
        for timeout: Duration? in [options.timeout, .seconds(5), nil] {
            options.timeout = timeout
            let downloader = Downloader(transport: transport, options: options)
            _ = try await downloader.download(try url())
            _ = try await downloader.download(HTTPRequest(url: try url(), timeout: .seconds(7)))
        }
        #expect(
            transport.requests.map(\.timeout) == [
                .seconds(600), .seconds(7), .seconds(5), .seconds(7), nil, .seconds(7),
            ])
    }

    @Test("A body comes into memory, or into a file that was not there before it was whole")
    func destinations() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", as: "a.png")
        let downloader = downloader { _ in
            #expect((try? FileBytes.read(path, limit: 9)) == Array("old".utf8))
            return .respond(fields: ["X": "1"], body: "image")
        }
        let inMemory = try await downloader.download(try url())
        #expect(inMemory.body == Array("image".utf8))
        #expect(inMemory.response.savedBody == nil)
        let inFile = try await downloader.download(try url(), to: .file(path))
        #expect(inFile.body.isEmpty)
        #expect(inFile.response.savedBody == .init(path: path, size: 5))
        #expect(inFile.response.fields["x"] == "1")
        #expect(try FileBytes.read(path, limit: 9) == Array("image".utf8))
        #expect(TemporaryFolder.names(in: folder.path) == ["a.png"])
    }

    @Test(
        "What fails leaves the old file, and nothing else",
        arguments: [
            (.respond(status: 404, body: "no"), .status),
            (.respond(status: 304), .status),
            (.respond(status: 302, fields: ["Location": "ftp://x"]), .redirect),
            (.respond(status: 302, fields: ["Location": "/"]), .redirect),
            (.fail(TransportError(.timedOut, "late")), .transport), (.respond(), .empty),
        ] as [(ScriptedTransport.Step, DownloadError.Code)])
    func failures(step: ScriptedTransport.Step, code: DownloadError.Code) async throws {
        var options = Downloader.Options()
        options.refusesEmpty = true
        let folder = try TemporaryFolder()
        let path = try folder.write("old", as: "a.png")
        for destination in [.memory, .file(path)] as [Downloader.Destination] {
            let error = try await failure(downloader(options) { _ in step }, to: destination)
            #expect(error?.code == code)
            #expect(error?.message.isEmpty == false)
            #expect((error?.head == nil) == (code == .transport))
            #expect((error?.transportError != nil) == (code == .transport))
        }
        #expect(try FileBytes.read(path, limit: 9) == Array("old".utf8))
        #expect(TemporaryFolder.names(in: folder.path) == ["a.png"])
    }

    @Test("An empty body is as good as another unless something is asked for")
    func empty() async throws {
        #expect(try await downloader { _ in .respond(status: 204) }.download(try url()).body == [])
    }

    @Test("A body in memory has a limit, one in a file has none")
    func tooLarge() async throws {
        var options = Downloader.Options()
        options.bodyLimit = 4
        let downloader = downloader(options) { _ in .respond(body: "12345") }
        #expect(try await failure(downloader)?.code == .tooLarge)
        let folder = try TemporaryFolder()
        _ = try await downloader.download(try url(), to: .file(folder.file("a")))
    }

    @Test("Nothing is sent for a file that cannot be written")
    func unwritable() async throws {
        let transport = ScriptedTransport { _ in .respond() }
        let downloader = Downloader(transport: transport)
        let folder = try TemporaryFolder()
        for path in [folder.path, folder.file("no/such"), folder.file("a\0b"), ""] {
            #expect(try await failure(downloader, to: .file(path))?.code == .notSaved)
        }
        #expect(TemporaryFolder.names(in: folder.path) == [])
        #expect(transport.requests.isEmpty)
    }

    @Test("Redirects are followed, and credentials stay with their origin")
    func redirects() async throws {
        let transport = ScriptedTransport { request in
            switch request.url.text {
            case "http://example.org/": .respond(status: 302, fields: ["Location": "/b"], body: "x")
            case "http://example.org/b":
                .respond(status: 301, fields: ["Location": "http://other.example/c"])
            default: .respond(body: "end")
            }
        }
        let calls = Locked<[Int]>([])
        let download = try await Downloader(transport: transport).download(
            HTTPRequest(url: try url(), fields: ["Authorization": "a"])
        ) { received, _ in calls.change { $0.append(received) } }
        #expect(download.url.text == "http://other.example/c")
        #expect(download.body == Array("end".utf8))
        #expect(transport.requests.map { $0.fields["Authorization"] } == ["a", "a", nil])
        #expect(calls.value == [0, 3], "only the last body counts")
    }

    @Test("Fields that are named as confidential stay with their origin")
    func confidentialFields() async throws {
        let transport = ScriptedTransport { request in
            request.url.host == "example.org"
                ? .respond(status: 302, fields: ["Location": "http://other.example/"]) : .respond()
        }
        var options = Downloader.Options()
        options.confidentialFields = ["X-Api-Key"]
        _ = try await Downloader(transport: transport, options: options).download(
            HTTPRequest(url: try url(), fields: ["x-api-key": "a", "X-Other": "b"]))
        #expect(transport.requests.map { $0.fields["X-Api-Key"] } == ["a", nil])
        #expect(transport.requests.map { $0.fields["X-Other"] } == ["b", "b"])
    }

    @Test("A part is a success only for a request that asked for one")
    func part() async throws {
        let downloader = downloader { _ in .respond(status: 206, body: "part") }
        let error = try await failure(downloader)
        #expect(error?.code == .status)
        #expect(error?.head?.status == 206)
        let request = HTTPRequest(url: try url(), fields: ["range": "bytes=0-3"])
        #expect(try await downloader.download(request).body == Array("part".utf8))
    }

    @Test("A task that was cancelled before sends nothing")
    func cancelledBefore() async throws {
        let transport = ScriptedTransport { _ in .respond(body: "a") }
        let url = try url()
        let gate = Gate()
        let task = Task { () -> DownloadError? in
            await gate.wait()
            do throws(DownloadError) {
                _ = try await Downloader(transport: transport).download(url)
                return nil
            } catch {
                return error
            }
        }
        task.cancel()
        gate.open()
        #expect(await task.value?.code == .cancelled)
        #expect(transport.requests.isEmpty)
    }

    @Test("A task that is cancelled in flight ends its exchange")
    func cancelledInFlight() async throws {
        let transport = ScriptedTransport { _ in .hold }
        let url = try url()
        let task = Task { try await Downloader(transport: transport).download(url) }
        try await transport.waitForRequests(count: 1)
        task.cancel()
        let error = await #expect(throws: DownloadError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(transport.held.first?.isOver == true)
    }

    /// Where a download is cancelled that has all it needs.
    enum Moment: CaseIterable {
        case atTheHead, amidTheBody, beforeDelivery
    }

    @Test(
        "A cancel after the response and before delivery counts, and nothing comes after it",
        arguments: Moment.allCases)
    func cancelledLate(moment: Moment) async throws {
        let transport = ScriptedTransport { _ in .hold }
        let folder = try TemporaryFolder()
        let body = String(repeating: "x", count: moment == .amidTheBody ? 65_536 : 5)
        let active = Locked<ActiveDownload?>(nil)
        let calls = Locked<[Int]>([])
        let outcomes = Locked<[DownloadError.Code?]>([])
        let download = Downloader(transport: transport).start(
            try HTTPRequest(url: url()), to: .file(folder.file("a")),
            progress: { received, _ in
                calls.change { $0.append(received) }
                if received > 0 || moment == .atTheHead { active.value?.cancel() }
            },
            completion: { result in
                outcomes.change { outcomes in
                    switch result {
                    case .success: outcomes.append(nil)
                    case .failure(let error): outcomes.append(error.code)
                    }
                }
            })
        active.change { $0 = download }
        transport.held.first?.resume(
            with:
                .respond(fields: ["Content-Length": "\(body.utf8.count)"], body: body))
        #expect(outcomes.value == [.cancelled])
        #expect(calls.value == (moment == .atTheHead ? [0] : [0, body.utf8.count]))
        #expect(TemporaryFolder.names(in: folder.path) == [])
        download.cancel()
        #expect(outcomes.value.count == 1)
    }

    @Test("A cancel after the outcome changes nothing")
    func cancelledAfter() async throws {
        let folder = try TemporaryFolder()
        let outcomes = Locked(0)
        let download = downloader { _ in .respond(body: "a") }.start(
            try HTTPRequest(url: url()), to: .file(folder.file("a"))
        ) { result in
            if case .success = result { outcomes.change { $0 += 1 } }
        }
        download.cancel()
        #expect(outcomes.value == 1)
        #expect(TemporaryFolder.names(in: folder.path) == ["a"])
    }
}
