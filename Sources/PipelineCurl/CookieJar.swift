internal import CLibcurl

/// The cookies that all handles of one loop share, in memory only.
final class CookieJar {
    /// `nil` when libcurl had no memory for it; handles then keep cookies of their own.
    let raw: UnsafeMutableRawPointer?

    init() {
        raw = curl_share_init()
        // No locks: the loop's thread alone uses the handles that share it.
        if let raw {
            pipeline_curl_share(raw, CURL_LOCK_DATA_COOKIE)
        }
    }

    deinit {
        curl_share_cleanup(raw)
    }
}
