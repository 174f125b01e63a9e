/// The few JSON texts that the server writes of itself (RFC 8259).
enum JSONText {
    /// An object of members that are JSON already.
    static func object(_ members: [(name: String, json: String)]) -> String {
        "{" + members.map { string($0.name) + ":" + $0.json }.joined(separator: ",") + "}"
    }

    /// An array of elements that are JSON already.
    static func array(_ elements: [String]) -> String {
        "[" + elements.joined(separator: ",") + "]"
    }

    /// A string, with what RFC 8259 section 7 wants escaped.
    static func string(_ text: String) -> String {
        var json = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                json += "\\\(scalar)"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default:
                json.unicodeScalars.append(scalar)
            }
        }
        return json + "\""
    }
}
