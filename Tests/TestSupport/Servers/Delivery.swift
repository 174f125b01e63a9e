import PipelineCore

/// A request that an nginx has served, as its log tells.
package struct Delivery: Sendable, Hashable {
    /// The connection that it came on, a number of nginx's own.
    package var connection: Int
    /// Which request of its connection it was, counted from 1.
    package var number: Int
    package var method: String
    package var target: String
    package var status: Int
    /// The version of HTTP, such as `HTTP/1.1`.
    package var version: String
    /// The version of TLS, such as `TLSv1.3`; `nil` without TLS.
    package var tlsVersion: String?
    /// The size of the request, head included.
    package var requestSize: Int

    static let format =
        #"$connection\t$connection_requests\t$request_method\t$request_uri\t$status\t"#
        + #"$server_protocol\t$ssl_protocol\t$request_length"#

    static func all(inLog path: String) -> [Delivery] {
        guard let bytes = try? FileBytes.read(path, limit: 100_000_000) else { return [] }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            Delivery(
                String(decoding: line, as: UTF8.self)
                    .split(separator: "\t", omittingEmptySubsequences: false).map(String.init))
        }
    }

    private init?(_ words: [String]) {
        guard words.count == 8, let connection = Int(words[0]), let number = Int(words[1]),
            let status = Int(words[4]), let requestSize = Int(words[7])
        else { return nil }
        self.connection = connection
        self.number = number
        method = words[2]
        target = words[3]
        self.status = status
        version = words[5]
        tlsVersion = words[6] == "-" ? nil : words[6]
        self.requestSize = requestSize
    }
}
