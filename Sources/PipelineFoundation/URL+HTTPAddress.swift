public import Foundation
public import PipelineCore

extension URL: HTTPAddress {
    /// The address, checked.
    public func httpURL() throws(HTTPURLError) -> HTTPURL { try HTTPURL(absoluteString) }
}
