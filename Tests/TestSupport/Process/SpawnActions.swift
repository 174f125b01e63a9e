#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#else
    package import Darwin
#endif

/// What `posix_spawn` does between fork and exec.
package struct SpawnActions {
    #if canImport(Darwin)
        private var actions: posix_spawn_file_actions_t?
        private var attributes: posix_spawnattr_t?
    #else
        private var actions = posix_spawn_file_actions_t()
        private var attributes = posix_spawnattr_t()
    #endif

    package init() {
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        // The threads of a test runner block signals; a program begins with none blocked.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    }

    package mutating func open(_ descriptor: Int32, _ path: String, _ flags: Int32) {
        posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0o600)
    }

    package mutating func close(_ descriptor: Int32) {
        posix_spawn_file_actions_addclose(&actions, descriptor)
    }

    package mutating func duplicate(_ descriptor: Int32, as other: Int32) {
        posix_spawn_file_actions_adddup2(&actions, descriptor, other)
    }

    package mutating func destroy() {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }

    /// A program that could not be started.
    package struct Failure: Error {
        package let message: String
    }

    /// Starts the program with the environment of this process and these changes to it.
    ///
    /// Besides its standard streams it has the descriptors up to `lastDescriptor` only.
    package mutating func spawn(
        _ path: String, _ arguments: [String], _ environment: [String: String] = [:],
        lastDescriptor: Int32 = 2
    ) throws -> pid_t {
        // The pipes and sockets of other tests stay out of the program, which would keep them open.
        // A number that is not in use does no harm.
        for descriptor in lastDescriptor + 1..<256 { close(descriptor) }
        var variables = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        // Under ThreadSanitizer (scripts/test-threads) the program needs what the tests need.
        variables["LD_PRELOAD"] = getenv("LD_PRELOAD").map { String(cString: $0) }
        variables["TSAN_OPTIONS"] = getenv("TSAN_OPTIONS").map { String(cString: $0) }
        variables.merge(environment) { _, new in new }
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var process = pid_t()
        let code = posix_spawn(&process, path, &actions, &attributes, &words, &settings)
        guard code == 0 else {
            throw Failure(message: "\(path): \(String(cString: strerror(code)))")
        }
        return process
    }
}
