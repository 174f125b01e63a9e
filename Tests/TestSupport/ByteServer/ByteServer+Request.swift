package import PipelineCore

extension ByteServer {
    /// A request to this server, with a timeout that no test should reach.
    package func request(
        _ method: String = "GET", _ path: String = "/", fields: HTTPFields = [:],
        body: String? = nil, timeout: Duration = .seconds(20)
    ) throws -> HTTPRequest {
        HTTPRequest(
            method: method, url: try HTTPURL(url(path)), fields: fields,
            body: body.map { .bytes(Array($0.utf8)) }, timeout: timeout)
    }
}
