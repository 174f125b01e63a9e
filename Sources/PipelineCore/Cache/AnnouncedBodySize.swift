extension HTTPResponse.Head {
    /// How many bytes the body will have (RFC 9110, section 8.6); `nil` when the head does not say.
    ///
    /// The length of a coded body says nothing about what comes out of it.
    var announcedBodySize: Int? {
        let fields = fields
        if let coding = fields["Content-Encoding"], coding.lowercased() != "identity" { return nil }
        // `Int` reads a sign as well, which a length may not have.
        guard let text = fields["Content-Length"], text.utf8.allSatisfy(\.isASCIIDigit) else {
            return nil
        }
        return Int(text)
    }
}
