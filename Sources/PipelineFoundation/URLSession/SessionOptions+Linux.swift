#if !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import PipelineCore

    extension SessionOptions {
        /// Refuses what Foundation leaves aside on Linux: all that is said of TLS and of proxies.
        func checkPlatform() throws(TransportError) {
            let standard = TLSOptions()
            if tls.isVerified != standard.isVerified {
                throw .cannotDo("a server that is not verified (tls.isVerified) on Linux")
            }
            if let file = tls.authorities {
                throw .cannotDo(
                    "authorities of the request's own (tls.authorities, \(file)) on Linux")
            }
            if tls.minimumVersion != nil {
                throw .cannotDo("a lowest version of TLS (tls.minimumVersion) on Linux")
            }
            switch proxy {
            case .environment: break
            case .address: throw .cannotDo("a proxy (proxy) on Linux")
            case .none where Self.environmentHasProxy:
                throw .cannotDo("no proxy where the environment names one (proxy) on Linux")
            case .none: break
            }
        }

        func apply(to configuration: URLSessionConfiguration) {}

        /// Whether a request needs a session of its own, which has no kept-alive connection.
        ///
        /// Foundation sends whatever has no body a second time when such a connection turns out to be
        /// dead, be it idempotent (RFC 9110, section 9.2.2) or not.
        static func needsOwnSession(_ request: HTTPRequest) -> Bool {
            !HTTPRequest.isIdempotent(request.method) && (request.body?.size ?? 0) == 0
        }

        private static var environmentHasProxy: Bool {
            let environment = ProcessInfo.processInfo.environment
            return ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
                .contains { environment[$0]?.isEmpty == false }
        }
    }
#endif
