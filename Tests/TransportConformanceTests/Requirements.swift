import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips by name what needs the server nginx.
    static var needsNginx: Self {
        .enabled(if: NginxServer.isAvailable, "needs nginx: scripts/setup nginx-light")
    }

    /// Skips by name what needs the program openssl.
    static var needsOpenSSL: Self {
        .enabled(if: CertificateAuthority.isAvailable, "needs openssl: scripts/setup openssl")
    }
}
