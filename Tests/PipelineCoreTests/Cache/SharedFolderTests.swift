import PipelineCore
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("A cache's folder", .timeLimit(.minutes(1)))
struct SharedFolderTests {
    @Test("is shared by two processes: no body is torn, and its size is bounded")
    func twoProcesses() throws {
        let folder = try TemporaryFolder()
        let cacheFolder = folder.file("cache")
        let (limit, seed) = (60_000, printedSeed("two processes over one folder"))
        let cache = try ResponseCache.disk(folder: cacheFolder, limit: limit)
        let input = try SpawnActions.makePipe()
        let processes = try (1...2).map { number in
            var actions = SpawnActions()
            defer { actions.destroy() }
            actions.duplicate(input.reading, as: 0)
            actions.open(1, folder.file("\(number)"), O_WRONLY | O_CREAT)
            return try actions.spawn(
                BuiltProgram.path("SharedCacheProcess"),
                [cacheFolder, "\(number)", "\(seed &+ UInt64(number))", "\(limit)"])
        }
        close(input.reading)
        // Both begin now.
        close(input.writing)
        for process in processes {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            #expect(status == 0, "seed \(seed)")
        }
        let counts = try (1...2).map { number in
            let output = try FileBytes.read(folder.file("\(number)"), limit: 100)
            return String(decoding: output, as: UTF8.self)
                .split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        }
        print("two processes over one folder: \(counts) (from the cache, of these by the other)")
        #expect(counts.allSatisfy { $0.count == 2 && $0[0] > 0 })
        #expect(counts.map { $0.last ?? 0 }.reduce(0, +) > 0)
        #expect(TemporaryFolder.names(in: cacheFolder).allSatisfy { !$0.hasSuffix(".part") })
        // Each looks after an eighth of the limit, so that much may be there for each of them.
        #expect(cache.size <= limit + 2 * limit / 8)
    }
}
