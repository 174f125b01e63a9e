import PipelineCore

/// Hands out the pieces of a body one after the other; of its files, one at a time is open.
final class PieceReader {
    private let pieces: [HTTPRequest.Body.Piece]
    /// The piece that is read, and how much of it was.
    private var index = 0
    private var offset = 0
    /// The piece's file; `nil` before it is opened, and where the piece is none.
    private var file: SystemFile?
    /// Why reading had to be given up.
    private(set) var failure: String?

    /// Looks at each file, so that one that is missing is noticed before anything is sent.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest``, naming the file.
    init(_ pieces: [HTTPRequest.Body.Piece]) throws(TransportError) {
        self.pieces = pieces
        for case .file(let path, let size) in pieces {
            let actual: Int
            do throws(SystemFile.Failure) {
                actual = try SystemFile(path).size
            } catch {
                throw .refused("the file \(path) cannot be sent: \(error.reason)")
            }
            guard actual >= size else {
                throw .refused(
                    "the file \(path) has become shorter: it has \(actual) of \(size) bytes")
            }
        }
    }

    /// Starts again from the first byte.
    func rewind() {
        begin(0)
    }

    /// The next bytes; returns how many there were, 0 at the end, `nil` after a failure.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        while index < pieces.count {
            let piece = pieces[index]
            let count = min(buffer.count, piece.size - offset)
            guard count > 0 else {
                begin(index + 1)
                continue
            }
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            guard let taken = take(part, of: piece) else { return nil }
            offset += taken
            return taken
        }
        return 0
    }

    private func begin(_ index: Int) {
        self.index = index
        offset = 0
        file = nil
    }

    private func take(
        _ buffer: UnsafeMutableRawBufferPointer, of piece: HTTPRequest.Body.Piece
    ) -> Int? {
        switch piece {
        case .bytes(let bytes):
            buffer.copyBytes(from: bytes[offset..<(offset + buffer.count)])
            return buffer.count
        case .file(let path, let size):
            do throws(SystemFile.Failure) {
                if file == nil { file = try SystemFile(path) }
                let count = try file?.read(into: buffer, at: offset) ?? 0
                if count > 0 { return count }
                failure =
                    "the file \(path) has become shorter while it was sent: it ended after "
                    + "\(offset) of \(size) bytes"
            } catch {
                failure = "the file \(path) could not be read on: \(error.reason)"
            }
            return nil
        }
    }
}
