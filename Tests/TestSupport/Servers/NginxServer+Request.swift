package import PipelineCore

extension NginxServer {
    /// The address of a path on this server, by the scheme that it speaks.
    package func url(_ path: String = "/", host: String = "127.0.0.1") throws -> HTTPURL {
        try HTTPURL("\(scheme)://\(host):\(port)\(path)")
    }

    /// A request to this server, with a timeout that no test should reach.
    package func request(
        _ method: String = "GET", _ path: String = "/", host: String = "127.0.0.1",
        fields: HTTPFields = [:], body: HTTPRequest.Body? = nil,
        connection: ConnectionOptions = ConnectionOptions()
    ) throws -> HTTPRequest {
        var request = HTTPRequest(
            method: method, url: try url(path, host: host), fields: fields, body: body,
            timeout: .seconds(20))
        request.connection = connection
        return request
    }
}
