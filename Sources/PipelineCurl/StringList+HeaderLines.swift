import PipelineCore

extension StringList {
    /// Lists the fields in order, and keeps libcurl from adding what the user did not write.
    ///
    /// `Cookie` and `Content-Length` are left out: both are set elsewhere.
    init(headerLines fields: HTTPFields, hasContent: Bool) {
        self.init()
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

    private static func isSetElsewhere(_ name: String) -> Bool {
        HTTPFields.isSame(name, "Cookie") || HTTPFields.isSame(name, "Content-Length")
    }
}
