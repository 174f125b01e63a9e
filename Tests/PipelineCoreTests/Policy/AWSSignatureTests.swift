import PipelineCore
import Testing

@Suite("AWS Signature Version 4")
struct AWSSignatureTests {
    @Test(
        "The requests of the published test suite",
        arguments: [
            // get-vanilla, get-relative, get-slash-dot-slash
            (
                "GET", "/", [:], nil,
                "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
            ),
            (
                "GET", "/example/..", [:], nil,
                "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
            ),
            (
                "GET", "/./", [:], nil,
                "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
            ),
            // get-slashes
            (
                "GET", "//example//", [:], nil,
                "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"
            ),
            // get-vanilla-query-order-key-case
            (
                "GET", "/?Param2=value2&Param1=value1", [:], nil,
                "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
            ),
            // get-vanilla-utf8-query
            (
                "GET", "/?ሴ=bar", [:], nil,
                "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"
            ),
            // get-header-key-duplicate
            (
                "GET", "/",
                ["My-Header1": "value2", "my-header1": "value2", "My-Header1": "value1"], nil,
                "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"
            ),
            // get-header-value-trim
            (
                "GET", "/", ["My-Header1": " value1", "My-Header2": " \"a   b   c\""], nil,
                "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"
            ),
            // post-vanilla
            (
                "POST", "/", [:], nil,
                "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"
            ),
            // post-x-www-form-urlencoded
            (
                "POST", "/", ["Content-Type": "application/x-www-form-urlencoded"],
                "Param1=value1",
                "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"
            ),
        ] as [(String, String, HTTPFields, String?, String)])
    func suite(
        method: String, target: String, fields: HTTPFields, body: String?, signature: String
    ) throws {
        let url = try HTTPURL("https://example.amazonaws.com\(target)")
        var request = HTTPRequest(
            method: method, url: url, fields: fields, body: body.map { .bytes(Array($0.utf8)) })
        let signer = try AWSSignature(
            accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
            region: "us-east-1", service: "service")
        try signer.sign(&request, at: 1_440_938_160)
        #expect(request.fields["X-Amz-Date"] == "20150830T123600Z")
        #expect(request.fields["X-Amz-Content-Sha256"] == nil)
        #expect(request.fields["Authorization"]?.hasSuffix("Signature=\(signature)") == true)
    }

    @Test
    func `The example of the documentation: ListUsers of IAM`() throws {
        var request = HTTPRequest(
            url: try HTTPURL("https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08"),
            fields: [
                "Content-Type": "application/x-www-form-urlencoded; charset=utf-8",
                "User-Agent": "not signed", "Authorization": "replaced",
            ])
        let signer = try AWSSignature(
            accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
            region: "us-east-1", service: "iam")
        try signer.sign(&request, at: 1_440_938_160)
        #expect(
            request.fields.values(of: "Authorization") == [
                "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, "
                    + "SignedHeaders=content-type;host;x-amz-date, "
                    + "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"
            ])
    }

    @Test(
        "The examples of the documentation: S3",
        arguments: [
            (
                "GET", "/test.txt", ["Range": "bytes=0-9"], nil,
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
            ),
            (
                "PUT", "/test$file.text",
                [
                    "Date": "Fri, 24 May 2013 00:00:00 GMT",
                    "x-amz-storage-class": "REDUCED_REDUNDANCY",
                ], "Welcome to Amazon S3.",
                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
            ),
            (
                "GET", "/?lifecycle", [:], nil,
                "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
            ),
            (
                "GET", "/?max-keys=2&prefix=J", [:], nil,
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
            ),
        ] as [(String, String, HTTPFields, String?, String)])
    func storage(
        method: String, target: String, fields: HTTPFields, body: String?, signature: String
    ) throws {
        let url = try HTTPURL("https://examplebucket.s3.amazonaws.com\(target)")
        var request = HTTPRequest(
            method: method, url: url, fields: fields, body: body.map { .bytes(Array($0.utf8)) })
        let signer = try AWSSignature(
            accessKey: "AKIAIOSFODNN7EXAMPLE",
            secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", region: "us-east-1",
            service: "s3")
        try signer.sign(&request, at: 1_369_353_600)
        #expect(request.fields["Authorization"]?.hasSuffix("Signature=\(signature)") == true)
    }

    /// Recorded from `curl --aws-sigv4`, version 7.88.1.
    @Test(
        "Requests are signed as curl does",
        arguments: [
            (
                "GET", "http://example.org/a/b?a=1&b=2", nil,
                "19cb4a5f1d914876b1530f79f5d83964a9615ba755796949389e696e2929575c"
            ),
            (
                "POST", "http://example.org/", "Action=List",
                "61c87a0d1a84841b1e5be82edb52728dd2ed1ee113733a50bcddc9dc1b0ee75a"
            ),
        ])
    func curl(method: String, url: String, body: String?, signature: String) throws {
        var request = HTTPRequest(method: method, url: try HTTPURL(url))
        if let body {
            request.body = .pieces([.bytes(Array(body.utf8))])
            request.fields["Content-Type"] = "application/x-www-form-urlencoded"
        }
        let signer = try AWSSignature(
            accessKey: "AKIDEXAMPLE", secretKey: "SECRET", region: "us-east-1", service: "svc")
        try signer.sign(&request, at: 1_796_037_611)
        #expect(request.fields["Authorization"]?.hasSuffix("Signature=\(signature)") == true)
    }

    @Test
    func `Signing again gives what signing once gives`() throws {
        let signer = try signer(service: "s3", token: "session")
        var once = HTTPRequest(
            method: "PUT", url: try HTTPURL("http://a:8080/k"), body: .bytes([1]))
        var twice = once
        try signer.sign(&once, at: 1_000)
        try signer.sign(&twice, at: 0)
        #expect(twice.fields != once.fields)
        try signer.sign(&twice, at: 1_000)
        #expect(Set(twice.fields) == Set(once.fields))
        #expect(once.fields["X-Amz-Security-Token"] == "session")
        #expect(
            once.fields["Authorization"]?.contains(
                "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token") == true)
    }

    @Test(
        "A different request has a different signature",
        arguments: [
            "http://a:81/k", "http://b/k", "http://a/k/", "http://a/K", "http://a/k?x",
            "http://a/%6B%2F",
        ])
    func different(url: String) throws {
        #expect(try signature(url) != signature("http://a/k"))
    }

    @Test(
        "A request that is the same for the service has the same signature",
        arguments: [
            ("http://a:80/k", "http://a/k"), ("https://a:443/k", "https://a/k"),
            ("http://a?x=1&a=2", "http://a/?a=2&x=1"), ("http://a/?a", "http://a/?a="),
            ("http://a/?a=%2f&a=+", "http://a/?a=%2B&a=/"), ("http://a/?%zz", "http://a/?%25zz"),
            ("http://a/?&a=1&&", "http://a/?a=1"),
        ])
    func same(one: String, other: String) throws {
        #expect(try signature(one) == signature(other))
    }

    @Test
    func `A file is sent to S3 over TLS without a sum, and to nobody else`() throws {
        let body = HTTPRequest.Body.pieces([.bytes([1]), .file(path: "/f", size: 2)])
        var request = HTTPRequest(method: "PUT", url: try HTTPURL("https://a/k"), body: body)
        try signer(service: "s3").sign(&request, at: 0)
        #expect(request.fields["X-Amz-Content-Sha256"] == "UNSIGNED-PAYLOAD")
        for (service, url) in [("s3", "http://a/k"), ("iam", "https://a/k")] {
            let original = HTTPRequest(method: "PUT", url: try HTTPURL(url), body: body)
            var request = original
            #expect(throws: AWSSignatureError.unsignableFile) {
                try signer(service: service).sign(&request, at: 0)
            }
            #expect(request == original)
        }
    }

    @Test(arguments: ["a\r\nb", "a\nb", "a\0"])
    func `O20: keys cannot forge a header line`(text: String) {
        #expect(throws: AWSSignatureError.lineBreak) {
            try AWSSignature(accessKey: text, secretKey: "s", region: "r", service: "s")
        }
        #expect(throws: AWSSignatureError.lineBreak) { try signer(service: text) }
        #expect(throws: AWSSignatureError.lineBreak) { try signer(service: "s", token: text) }
        #expect(throws: AWSSignatureError.lineBreak) {
            try AWSSignature(accessKey: "a", secretKey: "s", region: text, service: "s")
        }
    }

    private func signer(service: String, token: String? = nil) throws -> AWSSignature {
        try AWSSignature(
            accessKey: "a", secretKey: String(repeating: "s", count: 99), sessionToken: token,
            region: "r", service: service)
    }

    private func signature(_ url: String) throws -> String? {
        var request = HTTPRequest(url: try HTTPURL(url))
        try signer(service: "execute-api").sign(&request, at: 0)
        return request.fields["Authorization"]
    }
}
