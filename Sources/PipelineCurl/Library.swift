internal import CLibcurl

/// The libcurl that runs, which may be another one than that of the header.
enum Library {
    /// Such as `7.88.1`.
    static let version = String(cString: info.pointee.version)
    static let hasHTTP2 = info.pointee.features & CURL_VERSION_HTTP2 != 0
    static let hasHTTP3 = info.pointee.features & CURL_VERSION_HTTP3 != 0

    private static var info: UnsafePointer<curl_version_info_data> {
        pipeline_curl_version()
    }
}
