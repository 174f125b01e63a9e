import Foundation
import PipelineCore

/// Reads certificates in the textual encoding of RFC 7468.
enum PEMFile {
    /// The certificates in a file, in DER.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest``, naming the file.
    static func certificates(_ path: String) throws(TransportError) -> [Data] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .refused("the file of certificates to trust, \(path), cannot be read")
        }
        return certificates(in: String(decoding: data, as: UTF8.self))
    }

    /// The certificates in a text; what stands between them is left out.
    static func certificates(in text: String) -> [Data] {
        text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().compactMap { part in
            guard let end = part.range(of: "-----END CERTIFICATE-----") else { return nil }
            return Data(
                base64Encoded: String(part[..<end.lowerBound]), options: .ignoreUnknownCharacters)
        }
    }
}
