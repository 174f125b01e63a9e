internal import CLibcurl
import PipelineCore

/// The header lines that libcurl is given, in its own form of list, which it does not copy.
struct HeaderLines: ~Copyable {
    private(set) var raw: UnsafeMutablePointer<curl_slist>?

    init() {}

    /// Lists the fields in order, and keeps libcurl from adding what the user did not write.
    ///
    /// `Cookie` and `Content-Length` are left out: both are set elsewhere.
    init(_ fields: HTTPFields, hasContent: Bool) {
        for field in fields where !Self.isSetElsewhere(field.name) {
            // With a colon and nothing after it, libcurl would leave the line out.
            let isEmpty = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            append(isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        if fields["Expect"] == nil {
            append("Expect:")
        }
        if hasContent, fields["Content-Type"] == nil {
            append("Content-Type:")
        }
    }

    deinit {
        curl_slist_free_all(raw)
    }

    private static func isSetElsewhere(_ name: String) -> Bool {
        HTTPFields.isSame(name, "Cookie") || HTTPFields.isSame(name, "Content-Length")
    }

    private mutating func append(_ line: String) {
        // Without memory the list stays as it was, and libcurl will not get far either.
        raw = curl_slist_append(raw, line) ?? raw
    }
}
