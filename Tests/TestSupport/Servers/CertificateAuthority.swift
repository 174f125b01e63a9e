/// Issues certificates that nobody has reason to trust, except who is told to.
///
/// Its files are made by the command line of OpenSSL and go away with the value.
package final class CertificateAuthority: Sendable {
    /// Whether the program it needs is there; tests are disabled without it.
    package static let isAvailable = SystemProgram.isInstalled("openssl")

    /// A certificate and its key, as files in PEM.
    package struct Files: Sendable {
        package let certificate: String
        package let key: String
    }

    /// The authority's own certificate, a file in PEM.
    package var certificate: String { files.certificate }
    private let files: Files
    private let folder: TemporaryFolder

    /// An authority of that name.
    package init(_ name: String = "Test Authority") throws {
        folder = try TemporaryFolder()
        files = Files(certificate: folder.file("authority.pem"), key: folder.file("authority.key"))
        try SystemProgram.run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", files.key, "-out",
            files.certificate, "-days", "2", "-subj", "/CN=\(name)")
    }

    /// A certificate for the names and addresses of the loopback interface.
    package func issueForLoopback() throws -> Files {
        try issue("localhost", alternatives: "DNS:localhost,IP:127.0.0.1,IP:::1")
    }

    /// A certificate of that common name, valid for two days or no longer.
    ///
    /// - Parameter alternatives: The names it is valid for, such as `DNS:localhost,IP:127.0.0.1`.
    package func issue(
        _ name: String, alternatives: String, isExpired: Bool = false
    ) throws -> Files {
        let issued = Files(
            certificate: folder.file("\(name).pem"), key: folder.file("\(name).key"))
        let request = folder.file("\(name).csr")
        try SystemProgram.run(
            "openssl", "req", "-new", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", issued.key, "-out", request,
            "-subj", "/CN=\(name)")
        let extensions = try folder.write(
            "subjectAltName=\(alternatives)\n", as: "\(name).extensions")
        // A certificate of no days has expired at the moment when it is made.
        try SystemProgram.run(
            "openssl", "x509", "-req", "-in", request, "-CA", files.certificate, "-CAkey",
            files.key, "-CAcreateserial", "-days", isExpired ? "0" : "2", "-extfile", extensions,
            "-out", issued.certificate)
        return issued
    }
}
