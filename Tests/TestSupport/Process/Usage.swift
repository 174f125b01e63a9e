import PipelineCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What this process uses of the system at the moment.
package enum Usage {
    /// How many descriptors are open.
    package static var descriptors: Int {
        (0..<1_024).filter { fcntl(Int32($0), F_GETFD) >= 0 }.count
    }

    /// How many threads there are; 0 where the system does not tell.
    package static var threads: Int {
        guard let folder = opendir("/proc/self/task") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count - 2
    }

    /// The memory that is resident, in bytes; where the system does not tell, the most that was.
    package static var memory: Int {
        #if canImport(Darwin)
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss
        #else
            guard let bytes = try? FileBytes.read("/proc/self/statm", limit: 1_000) else {
                return 0
            }
            let pages = String(decoding: bytes, as: UTF8.self).split(separator: " ").dropFirst()
            return (pages.first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
        #endif
    }
}
