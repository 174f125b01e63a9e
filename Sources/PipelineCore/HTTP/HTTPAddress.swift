/// What can be the address of a request: a `String` or an ``HTTPURL``.
///
/// ```swift
/// extension URL: HTTPAddress {
///     public func httpURL() throws(HTTPURLError) -> HTTPURL { try HTTPURL(absoluteString) }
/// }
/// ```
public protocol HTTPAddress {
    /// What can be wrong with it; `Never` for what was checked before.
    associatedtype Failure: Error = HTTPURLError

    /// The address, checked.
    func httpURL() throws(Failure) -> HTTPURL
}

extension String: HTTPAddress {
    /// The address, checked.
    public func httpURL() throws(HTTPURLError) -> HTTPURL { try HTTPURL(self) }
}

extension HTTPURL: HTTPAddress {
    /// The address itself.
    public func httpURL() throws(Never) -> HTTPURL { self }
}
