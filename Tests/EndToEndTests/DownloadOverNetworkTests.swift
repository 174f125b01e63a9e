import PipelineCore
import PipelineCurl
import TestSupport
import Testing

@Suite("Downloads and the cache over a real network", .timeLimit(.minutes(1)))
struct DownloadOverNetworkTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func downloader(
        _ cache: ResponseCache, now: @escaping @Sendable () -> Int = { 1_790_812_800 }
    ) -> Downloader {
        Downloader(transport: CachingTransport(CurlTransport(), cache: cache, user: nil, now: now))
    }

    @Test("An entity tag is validated: the second time only a 304 comes over the wire")
    func entityTag() async throws {
        let body = [UInt8](repeating: 7, count: 300_000)
        let server = try ByteServer.answering { request in
            request.fields["If-None-Match"] == "\"v1\""
                ? Array("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n".utf8)
                : ByteServer.http(
                    fields: ["ETag": "\"v1\"", "Cache-Control": "max-age=60"], body: body)
        }
        defer { server.stop() }
        let now = Locked(1_790_812_800)
        let downloader = downloader(try .disk(folder: folder.file("cache"))) { now.value }
        var uses: [ExchangeMetrics.CacheUse?] = []
        for (index, pause) in [0, 59, 1, 0].enumerated() {
            now.change { $0 += pause }
            let path = folder.file("\(index)")
            let download = try await downloader.download(
                HTTPURL(server.url("/image")), to: .file(path))
            uses.append(download.response.metrics.cacheUse)
            #expect(download.response.status == 200)
            #expect(try FileBytes.read(path, limit: 1_000_000) == body)
        }
        // The 304 says nothing of its age, so what was said before holds from then on.
        #expect(uses == [nil, .stored, .validated, .stored])
        #expect(server.requests.count == 2)
    }

    @Test("Twenty downloads of one address at once are one request to the server")
    func coalesced() async throws {
        let gate = Gate()
        let haveAllBegun = Locked(false)
        let server = try ByteServer { connection in
            while connection.readRequest() != nil {
                while !haveAllBegun.value { connection.pause(milliseconds: 1) }
                connection.send(ByteServer.http(body: "image"))
            }
        }
        defer { server.stop() }
        let downloader = downloader(.memory())
        let url = try HTTPURL(server.url("/image"))
        let bodies = Locked<[[UInt8]]>([])
        for _ in 0..<20 {
            downloader.start(HTTPRequest(url: url)) { result in
                let data = (try? result.get())?.body ?? []
                let count = bodies.change { bodies in
                    bodies.append(data)
                    return bodies.count
                }
                if count == 20 { gate.open() }
            }
        }
        haveAllBegun.change { $0 = true }
        await gate.wait()
        #expect(bodies.value == Array(repeating: Array("image".utf8), count: 20))
        #expect(server.requests.count == 1)
    }

    @Test("Of downloads that share an exchange one leaves, and the others get all")
    func oneLeaves() async throws {
        let haveAllBegun = Locked(false)
        let server = try ByteServer { connection in
            while connection.readRequest() != nil {
                while !haveAllBegun.value { connection.pause(milliseconds: 1) }
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
                for _ in 0..<100 {
                    connection.send(String(repeating: "x", count: 1_000))
                    connection.pause(milliseconds: 1)
                }
            }
        }
        defer { server.stop() }
        let downloader = downloader(.memory())
        let request = HTTPRequest(url: try HTTPURL(server.url()))
        let (left, stayed) = (Gate(), Gate())
        let codes = Locked<[String: DownloadError.Code]>([:])
        let sizes = Locked<[Int]>([])
        let active = Locked<ActiveDownload?>(nil)
        let leaving = downloader.start(
            request,
            progress: { received, _ in if received > 0 { active.value?.cancel() } },
            completion: { result in
                if case .failure(let error) = result { codes.change { $0["left"] = error.code } }
                left.open()
            })
        active.change { $0 = leaving }
        downloader.start(request) { result in
            sizes.change { $0.append((try? result.get())?.body.count ?? 0) }
            stayed.open()
        }
        haveAllBegun.change { $0 = true }
        await left.wait()
        await stayed.wait()
        #expect(codes.value == ["left": .cancelled])
        #expect(sizes.value == [100_000])
        #expect(server.requests.count == 1)
    }

    @Test("A cancel at any of fifty moments gives one outcome, and a whole file or none")
    func fiftyMoments() async throws {
        let body = [UInt8](repeating: 9, count: 150_000)
        let server = try ByteServer { connection in
            while connection.readRequest() != nil {
                connection.pause(milliseconds: 2)
                let head = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: \(body.count)\r\n\r\n"
                connection.send(head)
                for _ in 0..<15 {
                    connection.pause(milliseconds: 1)
                    guard connection.send(Array(body.prefix(10_000))) else { return }
                }
            }
        }
        defer { server.stop() }
        let cacheFolder = folder.file("cache")
        let downloader = downloader(try .disk(folder: cacheFolder))
        let seed = printedSeed("cancel a download at fifty moments")
        var generator = SeededGenerator(seed: seed)
        var successes = 0
        for round in 0..<50 {
            let request = HTTPRequest(url: try HTTPURL(server.url("/\(round)")))
            let path = folder.file("\(round)")
            let task = Task { try await downloader.download(request, to: .file(path)) }
            // Not to wait for something: the moment itself is what varies.
            try await Task.sleep(for: .microseconds(Int.random(in: 0...30_000, using: &generator)))
            task.cancel()
            switch await task.result {
            case .success:
                successes += 1
                #expect(try FileBytes.read(path, limit: 1_000_000) == body, "seed \(seed)")
            case .failure(let error):
                #expect((error as? DownloadError)?.code == .cancelled, "seed \(seed)")
                #expect(throws: FileBytes.Failure.self) { try FileBytes.read(path, limit: 9) }
            }
        }
        print("cancel a download at fifty moments: \(successes) were whole before")
        let last = try await downloader.download(HTTPURL(server.url("/last")))
        #expect(last.body == body)
        for name in TemporaryFolder.names(in: folder.path) + TemporaryFolder.names(in: cacheFolder)
        {
            #expect(!name.hasSuffix(".part"))
        }
    }

    @Test("A body that breaks off is neither delivered nor stored")
    func brokenOff() async throws {
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(
                "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 9\r\n\r\nhalf")
        }
        defer { server.stop() }
        let cache = ResponseCache.memory()
        let downloader = downloader(cache)
        let path = folder.file("a")
        let url = try HTTPURL(server.url())
        for _ in 0..<2 {
            let error = await #expect(throws: DownloadError.self) {
                try await downloader.download(url, to: .file(path))
            }
            #expect(error?.code == .transport)
        }
        #expect(server.requests.count == 2)
        #expect(cache.size == 0)
        #expect(TemporaryFolder.names(in: folder.path) == [])
    }
}
