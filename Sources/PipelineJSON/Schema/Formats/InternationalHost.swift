/// Host names in any script, as they go over the wire.
package enum InternationalHost {
    /// The name with A-labels for its labels that are not ASCII (RFC 5891, section 4; RFC 5895).
    ///
    /// The same whatever the locale of the process is. The full stops of other scripts separate
    /// labels, too. `nil` for a name that may not be one.
    package static func ascii(_ name: String) -> String? {
        let labels = name.split(omittingEmptySubsequences: false) { stops.contains($0) }
        var result: [String] = []
        for label in labels {
            guard let ascii = InternationalLabel.ascii(label) else { return nil }
            result.append(ascii)
        }
        let host = result.joined(separator: ".")
        return host.utf8.count <= 253 ? host : nil
    }

    private static let stops: [Character] = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
}
