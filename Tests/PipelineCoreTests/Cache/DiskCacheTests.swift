import TestSupport
import Testing

@testable import PipelineCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("A cache in a folder", .timeLimit(.minutes(1)))
struct DiskCacheTests {
    @Test("Its files are their owner's only, and their names tell nothing")
    func files() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("cache")
        let cache = try ResponseCache.disk(folder: path)
        let request = try get("/secret", fields: ["Authorization": "Bearer s3cret"])
        cache.store(Array("body".utf8), ["ETag": "a"], for: request)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        let name = try #require(TemporaryFolder.names(in: path).first)
        #expect(stat("\(path)/\(name)", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(!name.contains("secret"))
        let bytes = try FileBytes.read("\(path)/\(name)", limit: 1_000)
        for text in ["s3cret", "example.org", "/secret"] {
            #expect(!String(decoding: bytes, as: UTF8.self).contains(text))
        }
    }

    @Test("It is there again when it is opened again, and others' files are left alone")
    func reopened() throws {
        let folder = try TemporaryFolder()
        try folder.write("mine", as: "notes.txt")
        try folder.write("mine", as: "notes.part")
        let cache = try ResponseCache.disk(folder: folder.path, limit: 5_000)
        cache.store([1, 2, 3], ["ETag": "a"], for: try get("/kept"))
        let again = try ResponseCache.disk(folder: folder.path, limit: 5_000)
        #expect(again.body(for: try get("/kept")) == [1, 2, 3])
        for number in 0..<20 {
            again.store([UInt8](repeating: 0, count: 1_000), for: try get("/\(number)"))
        }
        again.removeAll()
        #expect(again.size == 0)
        #expect(Set(TemporaryFolder.names(in: folder.path)) == ["notes.txt", "notes.part"])
    }

    @Test("What a process that ended left half-written goes after an hour")
    func remains() throws {
        let folder = try TemporaryFolder()
        let cache = try ResponseCache.disk(folder: folder.path, limit: 1_000)
        let longAgo = timespec(tv_sec: 1_000_000_000, tv_nsec: 0)
        let old = try folder.write("half", as: ".1-2.part")
        try folder.write("half", as: ".1-3.part")
        let others = [".my-notes.part", ".1-.part", ".1-2-3.part", ".1--2.part"]
        for name in others {
            let path = try folder.write("mine", as: name)
            #expect(utimensat(AT_FDCWD, path, [longAgo, longAgo], 0) == 0)
        }
        #expect(utimensat(AT_FDCWD, old, [longAgo, longAgo], 0) == 0)
        cache.store([UInt8](repeating: 0, count: 500), for: try get("/a"))
        let names = TemporaryFolder.names(in: folder.path)
        #expect(Set(names.filter { $0.hasSuffix(".part") }) == Set(others + [".1-3.part"]))
    }

    @Test("A folder that cannot be used is told of")
    func unusable() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", as: "file")
        for path in [file, "\(file)/cache", folder.file("no/such"), "", "a\u{0}b"] {
            #expect(throws: ResponseCacheError.self) { try ResponseCache.disk(folder: path) }
        }
    }

    @Test("A folder in which somebody else may put a response is refused")
    func distrusted() throws {
        let folder = try TemporaryFolder()
        let path = try folder.makeFolder("cache")
        try folder.link("link", to: path)
        for link in [folder.file("link"), folder.file("link/"), folder.file("link//")] {
            #expect(throws: ResponseCacheError.self) { try ResponseCache.disk(folder: link) }
        }
        for mode in [0o770, 0o702, 0o777, 0o1777] as [mode_t] {
            #expect(chmod(path, mode) == 0)
            #expect(throws: ResponseCacheError.self) { try ResponseCache.disk(folder: path) }
        }
        #expect(chmod(path, 0o755) == 0)
        _ = try ResponseCache.disk(folder: path + "/")
        // The system's own belongs to root; only root may use it.
        if geteuid() != 0 {
            #expect(throws: ResponseCacheError.self) { try ResponseCache.disk(folder: "/") }
        }
    }

    @Test("A folder that goes away fails nothing")
    func vanished() throws {
        let folder = try TemporaryFolder()
        let path = try folder.makeFolder("cache")
        let cache = try ResponseCache.disk(folder: path)
        #expect(rmdir(path) == 0)
        cache.store([1], for: try get())
        #expect(cache.body(for: try get()) == nil)
        #expect(cache.size == 0)
    }

    @Test("A damaged file is no file: it never traps and never gives another body")
    func damaged() throws {
        let folder = try TemporaryFolder()
        let cache = try ResponseCache.disk(folder: folder.path)
        let seed = printedSeed("damaged cache files")
        var generator = SeededGenerator(seed: seed)
        let request = try get()
        let body = (0..<500).map { _ in UInt8.random(in: 0...255, using: &generator) }
        cache.store(body, ["ETag": "\"a\"", "Cache-Control": "max-age=60"], for: request)
        let name = CacheFolder.name(CacheKey(request, user: ""))
        let whole = try FileBytes.read(folder.file(name), limit: 10_000)
        for _ in 0..<2_000 {
            var bytes = whole
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator))
            case 1:
                let count = Int.random(in: 1...40, using: &generator)
                bytes += (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            default:
                for _ in 0..<Int.random(in: 1...6, using: &generator) {
                    let place = bytes.indices.randomElement(using: &generator) ?? 0
                    bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
                }
            }
            try folder.write(bytes, as: name)
            let found = cache.body(for: request)
            #expect(found == nil || bytes == whole, "seed \(seed)")
        }
        try folder.write(whole, as: name)
        #expect(cache.body(for: request) == body)
        // Whole, but of another address.
        let other = try get("/other")
        try folder.write(whole, as: CacheFolder.name(CacheKey(other, user: "")))
        #expect(cache.body(for: other) == nil)
        // Not a file at all.
        _ = try folder.makeFolder(CacheFolder.name(CacheKey(other, user: "")))
        #expect(cache.body(for: other) == nil)
        try folder.link(CacheFolder.name(CacheKey(try get("/link"), user: "")), to: name)
        #expect(cache.body(for: try get("/link")) == nil)
    }

    @Test("Two caches over one folder, written at once: each body is one that was written, whole")
    func twoCaches() async throws {
        let folder = try TemporaryFolder()
        let seed = printedSeed("two caches over one folder")
        let caches = try (0..<2).map { _ in
            try ResponseCache.disk(folder: folder.path, limit: 60_000)
        }
        let reads = await withTaskGroup(of: Int.self) { group in
            for (index, cache) in (caches + caches).enumerated() {
                group.addTask { Self.readAndWrite(cache, seed &+ UInt64(index)) }
            }
            return await group.reduce(0, +)
        }
        print("two caches over one folder: \(reads) bodies read")
        #expect(reads > 0)
        #expect(TemporaryFolder.names(in: folder.path).allSatisfy { !$0.hasSuffix(".part") })
        // Each looks after an eighth of the limit, so that much may be there for the other.
        #expect(caches[0].size <= 60_000 + 2 * 60_000 / 8)
    }

    /// Writes and reads ten addresses; a body is one byte, many times, its number first.
    private static func readAndWrite(_ cache: ResponseCache, _ seed: UInt64) -> Int {
        var generator = SeededGenerator(seed: seed)
        var reads = 0
        for _ in 0..<300 {
            let number = Int.random(in: 0..<10, using: &generator)
            guard let request = try? get("/\(number)") else { return 0 }
            if Bool.random(using: &generator) {
                let filler = UInt8.random(in: 0...255, using: &generator)
                let size = Int.random(in: 1...9_000, using: &generator)
                let body = [UInt8(number)] + [UInt8](repeating: filler, count: size)
                cache.store(body, ["X": "\(size)"], for: request)
            } else if let found = cache.response(for: request, user: "") {
                let body = found.body.part(at: 0) ?? []
                reads += 1
                #expect(body.first == UInt8(number))
                #expect(found.head.head.fields["X"] == "\(body.count - 1)")
                #expect(Set(body.dropFirst()).count == 1)
            }
        }
        return reads
    }
}
