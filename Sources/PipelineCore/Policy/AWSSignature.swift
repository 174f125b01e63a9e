/// Signs requests as the services of AWS want it: Signature Version 4, in header fields.
///
/// The rules are those of "AWS Signature Version 4 for API requests" in the AWS documentation.
package struct AWSSignature: Sendable, Hashable {
    private let accessKey: String
    private let secretKey: String
    private let sessionToken: String?
    private let region: String
    private let service: String

    /// Checks and keeps the keys, and whom they are for, such as `eu-west-1` and `execute-api`.
    ///
    /// - Throws: ``AWSSignatureError``, when one of them cannot stand in a header field.
    package init(
        accessKey: String, secretKey: String, sessionToken: String? = nil, region: String,
        service: String
    ) throws(AWSSignatureError) {
        let sent = [accessKey, sessionToken ?? "", region, service]
        guard !sent.joined().utf8.contains(where: \.isLineBreakOrNull) else { throw .lineBreak }
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
        self.region = region
        self.service = service
    }

    /// Signs a request as it stands: nothing of it may be changed afterwards.
    ///
    /// Sets `X-Amz-Date`, `Authorization`, and where they belong `X-Amz-Security-Token` and
    /// `X-Amz-Content-Sha256`; what an earlier signature left there is replaced.
    ///
    /// - Parameters:
    ///   - request: The request with all its fields.
    ///   - time: The time of day, in seconds since the beginning of 1970 in UTC. The service refuses
    ///     a request that is more than some minutes off.
    /// - Throws: ``AWSSignatureError/unsignableFile``.
    package func sign(_ request: inout HTTPRequest, at time: Int) throws(AWSSignatureError) {
        let payload = try payloadSum(request)
        let moment = Self.basicFormat(time)
        request.fields["Authorization"] = nil
        request.fields["X-Amz-Date"] = moment
        request.fields["X-Amz-Security-Token"] = sessionToken
        if service == "s3" { request.fields["X-Amz-Content-Sha256"] = payload }

        let canonical = AWSCanonicalRequest(
            request, payload: payload, encodesTwice: service != "s3")
        let date = String(moment.prefix(8))
        let scope = "\(date)/\(region)/\(service)/aws4_request"
        let text =
            "AWS4-HMAC-SHA256\n\(moment)\n\(scope)\n"
            + SHA256.hexadecimal(Array(canonical.text.utf8))
        var key = Array("AWS4\(secretKey)".utf8)
        for part in [date, region, service, "aws4_request"] {
            key = HMACSHA256.bytes(Array(part.utf8), key: key)
        }
        let signature = hexadecimal(HMACSHA256.bytes(Array(text.utf8), key: key))
        request.fields["Authorization"] =
            "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope), "
            + "SignedHeaders=\(canonical.signedNames), Signature=\(signature)"
    }

    /// The sum of the body; files are not read for it, which only S3 allows, and only where TLS
    /// protects them.
    private func payloadSum(_ request: HTTPRequest) throws(AWSSignatureError) -> String {
        switch request.body {
        case nil:
            return SHA256.hexadecimal([])
        case .bytes(let bytes):
            return SHA256.hexadecimal(bytes)
        case .pieces(let pieces):
            var bytes: [UInt8] = []
            for piece in pieces {
                guard case .bytes(let part) = piece else {
                    guard service == "s3", request.url.isSecure else { throw .unsignableFile }
                    return "UNSIGNED-PAYLOAD"
                }
                bytes += part
            }
            return SHA256.hexadecimal(bytes)
        }
    }

    /// Such as `20150830T123600Z`: ISO 8601 without separators and decimals.
    private static func basicFormat(_ time: Int) -> String {
        let text = UTCTime(secondsSince1970: time, milliseconds: 0).description
        return text.prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" } + "Z"
    }
}

/// Why a request cannot be signed.
package enum AWSSignatureError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A key, the token, the region or the service would end its line.
    case lineBreak
    /// The body holds a file whose sum would have to be known before it is sent.
    case unsignableFile

    /// What is wrong, in one sentence without a full stop.
    package var description: String {
        switch self {
        case .lineBreak:
            "a key, token, region or service of AWS may not hold a line break or NUL"
        case .unsignableFile:
            "a body with files can be signed for the service s3 over https only"
        }
    }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
