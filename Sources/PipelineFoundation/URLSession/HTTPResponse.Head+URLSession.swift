import Foundation
import PipelineCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPResponse.Head {
    /// What Foundation tells of a head.
    ///
    /// Fields are in no order and lines of one name are joined; those of `Set-Cookie` are taken
    /// apart again, because they mean something else when they are joined (RFC 6265, section 3).
    init(_ response: HTTPURLResponse) {
        var fields: [HTTPField] = []
        for case (let name as String, let value as String) in response.allHeaderFields {
            let values =
                HTTPFields.isSame(name, "Set-Cookie") ? Self.cookieLines(value) : [value]
            fields += values.map { HTTPField(name: name, value: $0) }
        }
        self.init(status: response.statusCode, version: "", fields: HTTPFields(fields))
    }

    /// What makes the head one that Foundation should not have taken; `nil` for nothing.
    var fault: String? {
        if status == 101 {
            return "the server changes the protocol, which nobody asked for"
        }
        guard 100...999 ~= status else {
            return "the head of the response has the status \(status)"
        }
        // Two that differ were joined to what is no number (RFC 9112, section 6.3).
        guard let length = fields["Content-Length"], Int(length) == nil else { return nil }
        return "the head of the response has a Content-Length that is no number"
    }

    /// Whether another head follows this one.
    var isInterim: Bool { 100..<200 ~= status }

    /// Takes joined `Set-Cookie` lines apart: at each comma that `name=` follows, which it does not
    /// within a date.
    static func cookieLines(_ joined: String) -> [String] {
        var lines: [String] = []
        var line = ""
        for part in joined.split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.drop { $0 == " " }.prefix { $0 != "=" && $0 != ";" }
            let isNext = part.contains("=") && name.utf8.isToken
            if isNext, !line.isEmpty {
                lines.append(line)
                line = String(part.drop { $0 == " " })
            } else {
                line += line.isEmpty ? part : "," + part
            }
        }
        return lines + [line]
    }
}
