/// The certificate by which a server showed who it is (RFC 5280, section 4.1).
public struct Certificate: Sendable, Hashable {
    /// Whom it is about, such as `CN = example.com`, written the way the TLS library does.
    public var subject: String
    /// Who vouches for it, written like the subject.
    public var issuer: String
    /// The last moment of its validity in UTC (RFC 3339, section 5.6), such as
    /// `2027-11-30T07:58:22Z`.
    public var expires: String

    /// A certificate with these parts.
    public init(subject: String, issuer: String, expires: String) {
        self.subject = subject
        self.issuer = issuer
        self.expires = expires
    }
}
