import Foundation
import PipelineCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ExchangeProgress {
    /// What an error of Foundation's means for this exchange, in words.
    ///
    /// - Parameters:
    ///   - error: What the task completed with.
    ///   - hasSent: Whether the metrics tell that a request was begun on some connection: Foundation
    ///     may have connected again after one was lost.
    func failure(_ error: NSError, hasSent: Bool) -> TransportError {
        let code = Self.known(URLError.Code(rawValue: error.code))
        let (kind, message) =
            error.domain == NSURLErrorDomain
            ? describe(code, error) : (.other, "\(error.domain) \(error.code)")
        let isBefore =
            Self.connectingCodes.contains(code) && firstByte == nil && sent == 0 && !hasSent
        return TransportError(
            kind, message, libraryCode: error.code, isBeforeSending: isBefore)
    }

    private func describe(_ code: URLError.Code, _ error: NSError) -> (TransportError.Code, String)
    {
        switch code {
        case _ where refusedTrust != nil:
            return (.tls, "no trusted TLS connection to \(place): \(refusedTrust ?? "")")
        case .cannotFindHost, .dnsLookupFailed:
            return (.cannotResolve, "could not resolve host \(host)")
        case .cannotConnectToHost, .notConnectedToInternet, .internationalRoamingOff,
            .dataNotAllowed, .callIsActive:
            return (.cannotConnect, "\(error.systemReason ?? "no connection") at \(place)")
        case _ where Self.tlsCodes.contains(code):
            return (.tls, "no trusted TLS connection to \(place)\(error.detail)")
        case .timedOut:
            return (.timedOut, "\(place) timed out\(error.detail)")
        case .cannotDecodeContentData, .cannotDecodeRawData:
            return (.cannotDecode, "the content coding cannot be undone\(error.detail)")
        case .unsupportedURL:
            // Every address is one of HTTP; on Linux an answer that is not has this code.
            return (.invalidResponse, "the response is not HTTP\(error.detail)")
        case .badURL, .dataLengthExceedsMaximum, .fileDoesNotExist,
            .noPermissionsToReadFile:
            return (.invalidRequest, "Foundation does not take the request\(error.detail)")
        case .networkConnectionLost, .badServerResponse, .cannotParseResponse, .unknown:
            return lost(code, error)
        default:
            return (.other, "Foundation failed with code \(code.rawValue)\(error.detail)")
        }
    }

    private func lost(_ code: URLError.Code, _ error: NSError) -> (TransportError.Code, String) {
        let reason = error.systemReason.map { ": \($0)" } ?? ""
        guard firstByte != nil else {
            switch code {
            case .cannotParseResponse:
                return (.invalidResponse, "the response breaks the rules of HTTP\(error.detail)")
            case .unknown:
                return (.other, "no response came from \(place)\(error.detail)")
            default:
                return (
                    .connectionLost,
                    "the connection to \(place) was lost before a response came\(reason)"
                )
            }
        }
        switch code {
        case .cannotParseResponse:
            return (.invalidResponse, "the body breaks the rules of HTTP after \(bodyProgress)")
        case .unknown where shortfall == nil:
            // A coding that cannot be undone, a broken chunk or a lost connection: on Linux they all
            // have this code.
            return (.other, "the body did not come whole after \(bodyProgress)\(error.detail)")
        case _ where error.systemReason == nil:
            return (.bodyCutShort, "the body ended after \(bodyProgress)")
        default:
            return (
                .connectionLost,
                "the connection to \(place) was lost after \(bodyProgress)\(reason)"
            )
        }
    }

    /// On Linux a number may be none of the codes; elsewhere every number is one.
    private static func known(_ code: URLError.Code?) -> URLError.Code { code ?? .unknown }

    /// Only what cannot happen once there is a connection.
    private static let connectingCodes: Set<URLError.Code> = tlsCodes.union([
        .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .notConnectedToInternet,
    ])

    private static let tlsCodes: Set<URLError.Code> = [
        .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
        .clientCertificateRejected, .clientCertificateRequired,
        .appTransportSecurityRequiresSecureConnection,
    ]
}

extension NSError {
    /// What the operating system calls the cause, as in `connection refused`; `nil` for no such.
    fileprivate var systemReason: String? {
        var error: NSError? = self
        while let cause = error {
            if cause.domain == NSPOSIXErrorDomain { return Self.systemText(cause.code) }
            // CFNetwork's own, with the number of the system's error where the domain is 1.
            if cause.userInfo["_kCFStreamErrorDomainKey"] as? Int == 1,
                let number = cause.userInfo["_kCFStreamErrorCodeKey"] as? Int
            {
                return Self.systemText(number)
            }
            error = cause.userInfo[NSUnderlyingErrorKey] as? NSError
        }
        return nil
    }

    private static func systemText(_ number: Int) -> String? {
        guard let number = Int32(exactly: number), number > 0 else { return nil }
        return strerror(number).map { String(cString: $0).lowercased() }
    }

    /// What Foundation says, after a colon and without a full stop; nothing where it says nothing.
    fileprivate var detail: String {
        let text = localizedDescription
        let isNothing = text.isEmpty || text.hasPrefix("The operation could not be completed")
        return isNothing ? "" : ": \(text.hasSuffix(".") ? String(text.dropLast()) : text)"
    }
}
