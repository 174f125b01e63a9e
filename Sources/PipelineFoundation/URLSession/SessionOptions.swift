import Foundation
import PipelineCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What holds for all connections of a session, and so tells sessions apart.
///
/// A connection that was made without verifying must be of no use to who verifies.
struct SessionOptions: Sendable, Hashable {
    let tls: TLSOptions
    let proxy: ConnectionOptions.Proxy

    /// - Throws: ``TransportError/Code/invalidRequest`` for what `URLSession` cannot do, by its name.
    init(_ options: ConnectionOptions) throws(TransportError) {
        let refused: [(isAsked: Bool, name: String)] = [
            (options.unixSocket != nil, "a Unix socket (unixSocket, \(options.unixSocket ?? ""))"),
            (!options.resolutions.isEmpty, "addresses for names (resolutions)"),
            (!options.reroutes.isEmpty, "other places to connect to (reroutes)"),
            (options.version != nil, "a version of HTTP (version)"),
            (options.addressFamily != .any, "a kind of addresses (addressFamily)"),
            (options.proxyExceptions != nil, "hosts reached without the proxy (proxyExceptions)"),
            (
                options.tls.certificate != nil || options.tls.key != nil,
                "a client's certificate in PEM, \(options.tls.certificate ?? "")"
            ),
        ]
        if let option = refused.first(where: \.isAsked) {
            throw .cannotDo(option.name)
        }
        tls = options.tls
        proxy = options.proxy
        try checkPlatform()
    }
}

extension TransportError {
    /// An option that a transport of this kind does not have.
    static func cannotDo(_ option: String) -> TransportError {
        .refused("URLSession cannot be asked for \(option)")
    }
}
