import Foundation
import PipelineCore

/// A file that is a whole body; a copy is removed with its value.
final class UploadFile: Sendable {
    let url: URL
    private let isCopy: Bool

    init(_ url: URL, isCopy: Bool) {
        self.url = url
        self.isCopy = isCopy
    }

    deinit {
        if isCopy { try? FileManager.default.removeItem(at: url) }
    }

    /// A new file in the system's folder for such, readable by nobody else.
    static func empty() throws(TransportError) -> UploadFile {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let isMade = FileManager.default.createFile(
            atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isMade else {
            throw .refused("the body cannot be put together in the folder for temporary files")
        }
        return UploadFile(url, isCopy: true)
    }

    func append(_ bytes: Data) throws(TransportError) {
        do {
            let file = try FileHandle(forWritingTo: url)
            defer { try? file.close() }
            try file.seekToEnd()
            try file.write(contentsOf: bytes)
        } catch {
            throw .refused("the body cannot be put together: \(error.localizedDescription)")
        }
    }

    /// Appends the first bytes of another file, a part at a time.
    func append(_ path: String, _ size: Int) throws(TransportError) {
        var done = 0
        do {
            let source = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? source.close() }
            while done < size,
                let part = try source.read(upToCount: min(Self.partSize, size - done)),
                !part.isEmpty
            {
                try append(part)
                done += part.count
            }
        } catch {
            throw .refused("the file \(path) cannot be read: \(error.localizedDescription)")
        }
        guard done == size else { throw .shorter(path, done, size) }
    }

    private static let partSize = 1 << 20
}
