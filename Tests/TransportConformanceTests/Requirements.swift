import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips by name what needs the server nginx.
    static var needsNginx: Self {
        .enabled(if: NginxServer.isAvailable, "needs nginx: scripts/setup nginx-light")
    }

    /// Skips by name what needs a loopback interface of IPv6.
    static var needsIPv6: Self {
        .enabled(
            if: (try? ByteServer(.ipv6) { _ in }) != nil, "needs IPv6 on the loopback interface")
    }

    /// Skips by name what needs the program openssl.
    static var needsOpenSSL: Self {
        .enabled(if: CertificateAuthority.isAvailable, "needs openssl: scripts/setup openssl")
    }
}
