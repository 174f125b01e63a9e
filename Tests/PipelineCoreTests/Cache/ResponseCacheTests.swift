import TestSupport
import Testing

@testable import PipelineCore

@Suite("What a cache holds", .timeLimit(.minutes(1)))
struct ResponseCacheTests {
    /// A cache of each kind, and the folder that one of them is in.
    private static func caches(
        limit: Int = 1 << 20
    ) throws -> (folder: TemporaryFolder, caches: [ResponseCache]) {
        let folder = try TemporaryFolder()
        let disk = try ResponseCache.disk(folder: folder.file("cache"), limit: limit)
        return (folder, [.memory(limit: limit), disk])
    }

    @Test("A response comes back as it was stored, for its address alone")
    func roundTrip() throws {
        let (folder, caches) = try Self.caches()
        for cache in caches {
            for size in [0, 1, 7, 8, 9, 300_000] {
                let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 * 31) }
                cache.store(body, ["ETag": "\"a\"", "X-Ü": "é"], for: try get("/a"))
                #expect(cache.body(for: try get("/a")) == body)
                let head = cache.response(for: try get("/a"), user: "")?.head
                #expect(head?.head.fields == ["ETag": "\"a\"", "X-Ü": "é"])
                #expect(head?.head.status == 200)
                #expect(head?.receivedAt == cacheEpoch)
            }
            #expect(cache.body(for: try get("/b")) == nil)
            let sameURL = HTTPRequest(url: try HTTPURL("http://EXAMPLE.org:80/a"))
            #expect(cache.body(for: sameURL) != nil)
            cache.removeAll()
            #expect(cache.size == 0)
            #expect(cache.body(for: try get("/a")) == nil)
        }
        withExtendedLifetime(folder) {}
    }

    @Test("Nobody gets what another's credentials got")
    func credentials() throws {
        let (folder, caches) = try Self.caches()
        let requests = try [
            [:], ["Authorization": "Bearer a"], ["Authorization": "Bearer b"], ["Cookie": "a=1"],
            ["Cookie": "Bearer a"], ["X-Api-Key": "ada"], ["X-Api-Key": "bob"], ["Host": "a"],
            ["Host": "b"], ["Authorization": "Bearer a", "Cookie": "a=1"],
        ].map { try get(fields: $0) }
        for cache in caches {
            for (index, request) in requests.enumerated() {
                #expect(cache.body(for: request) == nil)
                cache.store([UInt8(index)], ["ETag": "a"], for: request)
            }
            for (index, request) in requests.enumerated() {
                #expect(cache.body(for: request) == [UInt8(index)])
                #expect(cache.body(for: request, user: "ada") == nil)
            }
            cache.remove(try get().url)
            for request in requests { #expect(cache.body(for: request) == nil) }
        }
        withExtendedLifetime(folder) {}
    }

    @Test("Fields that tell nobody apart do not keep a response from anybody")
    func harmlessFields() throws {
        let (folder, caches) = try Self.caches()
        for cache in caches {
            cache.store([1], ["ETag": "a"], for: try get(fields: ["User-Agent": "a"]))
            for fields in [["user-agent": "b"], ["Accept-Encoding": "br"], [:]] as [HTTPFields] {
                #expect(cache.body(for: try get(fields: fields)) == [1])
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test("A response whose version the transport did not tell comes back from either cache")
    func withoutVersion() throws {
        let (folder, caches) = try Self.caches()
        let head = HTTPResponse.Head(status: 200, version: "", fields: ["ETag": "a"])
        for cache in caches {
            let kept = CachedHead(head, requestedAt: cacheEpoch, receivedAt: cacheEpoch)
            let writer = try #require(cache.writer(for: try get(), user: "", kept))
            cache.commit(writer, for: try get().url, since: cache.generation(of: try get().url))
            #expect(cache.response(for: try get(), user: "")?.head.head.version == "")
        }
        withExtendedLifetime(folder) {}
    }

    @Test("4.1: responses selected by fields live side by side")
    func vary() throws {
        let (folder, caches) = try Self.caches()
        let languages = ["de", "en", nil]
        for cache in caches {
            for (index, language) in languages.enumerated() {
                var request = try get()
                request.fields["Accept-Language"] = language
                cache.store([UInt8(index)], ["Vary": "Accept-Language, X"], for: request)
            }
            for (index, language) in languages.enumerated() {
                var request = try get(fields: ["User-Agent": "1"])
                request.fields["accept-language"] = language
                #expect(cache.body(for: request) == [UInt8(index)])
                request.fields["X"] = "1"
                #expect(cache.body(for: request) == nil)
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test("What was used longest ago goes, and the limit holds")
    func bounded() throws {
        let (folder, caches) = try Self.caches(limit: 10_000)
        for cache in caches {
            for number in 0..<100 {
                cache.store([UInt8](repeating: 1, count: 1_000), for: try get("/\(number)"))
                #expect(cache.size <= 10_000)
                #expect(cache.body(for: try get("/0")) != nil, "used all the time: \(number)")
                #expect(cache.body(for: try get("/\(number)")) != nil)
            }
            #expect(cache.body(for: try get("/50")) == nil)
            cache.store([UInt8](repeating: 1, count: 10_001), for: try get("/large"))
            #expect(cache.body(for: try get("/large")) == nil)
            #expect(cache.body(for: try get("/0")) != nil)
        }
        withExtendedLifetime(folder) {}
    }

    @Test("What says that it is too large is not even begun to be stored")
    func announced() throws {
        let (folder, caches) = try Self.caches(limit: 10_000)
        for cache in caches {
            let large = stored(["ETag": "a", "Content-Length": "10001"])
            #expect(cache.writer(for: try get(), user: "", large) == nil)
            let small = stored(["ETag": "a", "Content-Length": "10000"])
            #expect(cache.writer(for: try get(), user: "", small) != nil)
        }
        withExtendedLifetime(folder) {}
    }

    @Test("What is not committed leaves nothing")
    func uncommitted() throws {
        let (folder, caches) = try Self.caches()
        for cache in caches {
            let writer = cache.writer(for: try get(), user: "", stored(["ETag": "a"]))
            #expect(writer?.append([1, 2].span.bytes) == true)
            #expect(cache.body(for: try get()) == nil)
        }
        #expect(TemporaryFolder.names(in: folder.file("cache")) == [])
    }
}
