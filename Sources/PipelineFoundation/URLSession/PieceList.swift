import Foundation
import PipelineCore

/// A body of pieces, whose files were looked at.
struct PieceList: Sendable {
    private let pieces: [HTTPRequest.Body.Piece]

    /// - Throws: ``TransportError/Code/invalidRequest``, naming a file that cannot be sent.
    init(_ pieces: [HTTPRequest.Body.Piece]) throws(TransportError) {
        self.pieces = pieces
        for case .file(let path, let size) in pieces {
            let actual = try Self.size(path)
            guard actual >= size else { throw .shorter(path, actual, size) }
        }
    }

    /// The body as one file: the only piece where that is a whole file, else a copy of them all.
    ///
    /// Foundation sends a file in constant memory, with its length, and again where it has to. A
    /// stream it would send in chunks, and on Apple platforms it takes none but its own kinds.
    func upload() throws(TransportError) -> UploadFile {
        if pieces.count == 1, case .file(let path, let size) = pieces[0],
            try Self.size(path) == size
        {
            return UploadFile(URL(fileURLWithPath: path), isCopy: false)
        }
        let copy = try UploadFile.empty()
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): try copy.append(Data(bytes))
            case .file(let path, let size): try copy.append(path, size)
            }
        }
        return copy
    }

    private static func size(_ path: String) throws(TransportError) -> Int {
        do {
            let values = try FileManager.default.attributesOfItem(
                atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
            if values[.type] as? FileAttributeType == .typeRegular, let size = values[.size] as? Int
            {
                return size
            }
        } catch {
            throw .unsendable(path, error.localizedDescription)
        }
        throw .unsendable(path, "it is not a regular file")
    }
}

extension TransportError {
    fileprivate static func unsendable(_ path: String, _ reason: String) -> TransportError {
        .refused("the file \(path) cannot be sent: \(reason)")
    }

    static func shorter(_ path: String, _ actual: Int, _ size: Int) -> TransportError {
        .refused("the file \(path) has become shorter: it has \(actual) of \(size) bytes")
    }
}
