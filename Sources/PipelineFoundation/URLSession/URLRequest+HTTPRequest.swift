import Foundation
import PipelineCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// What a request says, all but its body and its cookies.
    init(_ request: HTTPRequest) throws(TransportError) {
        guard let url = URL(string: request.url.text) else {
            throw .refused("Foundation does not take the address")
        }
        self.init(url: url, cachePolicy: .reloadIgnoringLocalAndRemoteCacheData)
        httpMethod = request.method
        guard httpMethod == request.method else {
            throw .refused(
                "URLSession would send the method \(request.method) as \(httpMethod ?? "GET")")
        }
        // Foundation's own limit is one of silence, and on Linux of whole seconds; the exchange
        // keeps its own, so this is only to come later. It is finite because Linux counts in `Int`.
        timeoutInterval = Self.aWeek
        for field in request.fields where !HTTPFields.isSame(field.name, "Content-Length") {
            addValue(field.value, forHTTPHeaderField: field.name)
        }
    }

    private static let aWeek: TimeInterval = 604_800
}
