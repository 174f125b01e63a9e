internal import CLibcurl

/// libcurl's multi handle: the transfers under way and the connections they share.
// Unchecked: sent from the thread that makes it to the loop's thread, which alone uses it; other
// threads call `wakeUp` only, which libcurl allows.
struct MultiHandle: @unchecked Sendable {
    private let raw: UnsafeMutableRawPointer

    /// Initialised once for the process, by whoever comes first.
    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Connections that are kept for later: enough for every host of a long pipeline.
    private static let connectionLimit = 32

    /// `nil` when libcurl has no memory left.
    init?() {
        guard Self.isLibraryReady, let raw = curl_multi_init() else { return nil }
        self.raw = raw
        pipeline_curl_multi_set_long(raw, CURLMOPT_MAXCONNECTS, Self.connectionLimit)
    }

    /// Has `wait` return, now or when it is called next.
    func wakeUp() {
        curl_multi_wakeup(raw)
    }

    func add(_ handle: EasyHandle) -> CURLMcode {
        curl_multi_add_handle(raw, handle.raw)
    }

    func remove(_ handle: EasyHandle) {
        curl_multi_remove_handle(raw, handle.raw)
    }

    /// Does all that can be done without waiting.
    func perform() -> CURLMcode {
        var running: Int32 = 0
        return curl_multi_perform(raw, &running)
    }

    /// Waits until there is something to do, or somebody calls `wakeUp`.
    func wait() -> CURLMcode {
        curl_multi_poll(raw, nil, 0, 3_600_000, nil)
    }

    /// A transfer that has ended and its result; `nil` when there is no further one.
    func nextResult() -> (handle: EasyHandle, code: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(raw, &left) {
            guard message.pointee.msg == CURLMSG_DONE,
                let handle = EasyHandle.owner(of: message.pointee.easy_handle)
            else { continue }
            return (handle, message.pointee.data.result)
        }
        return nil
    }

    /// Closes all connections, after every transfer was removed.
    func cleanUp() {
        curl_multi_cleanup(raw)
    }
}
