import PipelineCore

/// Credentials that are different in each exchange, as options by which curl makes them anew.
struct CurlCredentials {
    /// Not yet quoted; the password is left to the reader.
    let options: [String]
    /// The fields that curl adds itself.
    let replacedFields: [String]

    /// `nil` for requests without such credentials.
    init?(_ fields: HTTPFields) {
        guard let value = fields["Authorization"] else { return nil }
        if value.hasPrefix("Digest ") {
            options = ["--digest", "--user", "\(Self.digestName(value) ?? "***"):***"]
            replacedFields = ["Authorization"]
        } else if let scope = Self.amazonScope(value) {
            options = [
                "--aws-sigv4", "aws:amz:\(scope.region):\(scope.service)", "--user",
                "\(scope.accessKey):***",
            ]
            replacedFields = ["Authorization", "X-Amz-Date"]
        } else {
            return nil
        }
    }

    /// The user's name (RFC 7616, section 3.4); `nil` where it is sent hashed or encoded.
    private static func digestName(_ value: String) -> String? {
        let start = "username=\""
        guard let range = value.firstRange(of: start), !value.contains("userhash=true") else {
            return nil
        }
        var name = ""
        var isEscaped = false
        for scalar in value[range.upperBound...].unicodeScalars {
            if !isEscaped, scalar == "\"" { return name }
            isEscaped = !isEscaped && scalar == "\\"
            if !isEscaped { name.unicodeScalars.append(scalar) }
        }
        return nil
    }

    /// What `Credential=KEY/DATE/REGION/SERVICE/aws4_request` says.
    private static func amazonScope(
        _ value: String
    ) -> (accessKey: String, region: String, service: String)? {
        let start = "AWS4-HMAC-SHA256 Credential="
        guard value.hasPrefix(start) else { return nil }
        let scope = value.dropFirst(start.count).prefix { $0 != "," }
        let parts = scope.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 5 else { return nil }
        return (
            parts.dropLast(4).joined(separator: "/"), String(parts[parts.count - 3]),
            String(parts[parts.count - 2])
        )
    }
}
