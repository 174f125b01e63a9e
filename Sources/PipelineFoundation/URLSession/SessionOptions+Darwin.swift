#if canImport(Darwin)
    import Foundation
    import PipelineCore
    import Security

    extension SessionOptions {
        func checkPlatform() throws(TransportError) {
            if let file = tls.authorities {
                _ = try Self.authorities(file)
            }
            if case .address(let address) = proxy {
                _ = try ProxyAddress(address)
            }
        }

        func apply(to configuration: URLSessionConfiguration) {
            if let version = tls.minimumVersion {
                configuration.tlsMinimumSupportedProtocolVersion = version.system
            }
            switch proxy {
            case .environment: break
            case .none: configuration.connectionProxyDictionary = [:]
            case .address(let address):
                configuration.connectionProxyDictionary = (try? ProxyAddress(address))?.dictionary
            }
        }

        /// Whether a request needs a session of its own: Foundation sends no other request again than
        /// an idempotent one.
        static func needsOwnSession(_ request: HTTPRequest) -> Bool { false }

        /// Whether the server is trusted by the options of the session.
        func answer(to challenge: URLAuthenticationChallenge) -> TrustAnswer {
            guard let trust = challenge.protectionSpace.serverTrust else {
                return TrustAnswer(disposition: .performDefaultHandling)
            }
            if !tls.isVerified {
                return TrustAnswer(
                    disposition: .useCredential, credential: URLCredential(trust: trust))
            }
            guard let file = tls.authorities else {
                return TrustAnswer(disposition: .performDefaultHandling)
            }
            guard let anchors = try? Self.authorities(file) else {
                return TrustAnswer(
                    disposition: .cancelAuthenticationChallenge,
                    refusal: "the file \(file) cannot be read any more")
            }
            SecTrustSetAnchorCertificates(trust, anchors as CFArray)
            SecTrustSetAnchorCertificatesOnly(trust, true)
            var error: CFError?
            guard SecTrustEvaluateWithError(trust, &error) else {
                let reason = error.map { ($0 as any Error).localizedDescription }
                return TrustAnswer(
                    disposition: .cancelAuthenticationChallenge,
                    refusal: reason ?? "the certificate is not trusted")
            }
            return TrustAnswer(
                disposition: .useCredential, credential: URLCredential(trust: trust))
        }

        private static func authorities(_ file: String) throws(TransportError) -> [SecCertificate] {
            let certificates = try PEMFile.certificates(file)
                .compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
            guard !certificates.isEmpty else {
                throw .refused("the file of certificates to trust, \(file), has none")
            }
            return certificates
        }
    }

    /// What is to become of a connection whose server has shown its certificate.
    struct TrustAnswer {
        var disposition: URLSession.AuthChallengeDisposition
        var credential: URLCredential?
        /// Why it is not trusted; `nil` where Foundation itself decides, or it is.
        var refusal: String?
    }

    extension TLSOptions.Version {
        fileprivate var system: tls_protocol_version_t {
            switch self {
            case .tls10: .TLSv10
            case .tls11: .TLSv11
            case .tls12: .TLSv12
            case .tls13: .TLSv13
            }
        }
    }
#endif
