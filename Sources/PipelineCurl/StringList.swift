internal import CLibcurl

/// Texts in libcurl's own form of list, which it does not copy: it must outlive the transfer.
struct StringList: ~Copyable {
    private(set) var raw: UnsafeMutablePointer<curl_slist>?

    init(_ texts: [String] = []) {
        for text in texts { append(text) }
    }

    deinit {
        curl_slist_free_all(raw)
    }

    mutating func append(_ text: String) {
        // Without memory the list stays as it was, and libcurl will not get far either.
        raw = curl_slist_append(raw, text) ?? raw
    }
}
