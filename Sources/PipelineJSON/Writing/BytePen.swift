/// Puts bytes where there is room for them.
///
/// Through a pointer: all text of reports passes here in pieces of a few bytes, and to look for each
/// of them whether the array has one owner, and to keep its count, costs more than the bytes.
@usableFromInline
package struct BytePen: ~Copyable {
    @usableFromInline
    var next: UnsafeMutablePointer<UInt8>
    @usableFromInline
    let end: UnsafeMutablePointer<UInt8>

    @inlinable @inline(__always)
    init(at start: UnsafeMutablePointer<UInt8>, room: Int) {
        next = start
        end = start + room
    }

    /// Puts a byte; ends the process when there is no room.
    @inlinable @inline(__always)
    package mutating func put(_ byte: UInt8) {
        precondition(next < end, "no room")
        next.initialize(to: byte)
        next += 1
    }

    /// Puts bytes; ends the process when there is no room for all of them.
    @inlinable @inline(__always)
    package mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        precondition(bytes.count <= end - next, "no room")
        next.initialize(from: start, count: bytes.count)
        next += bytes.count
    }

    /// Puts what stands in the source.
    @inlinable @inline(__always)
    package mutating func put(_ constant: StaticString) {
        constant.withUTF8Buffer { put($0) }
    }
}

extension [UInt8] {
    /// Adds what a closure writes.
    ///
    /// - Parameter limit: How many bytes it writes at most; more than that end the process.
    @inlinable @inline(__always)
    package mutating func append(upTo limit: Int, _ write: (inout BytePen) -> Void) {
        append(addingCapacity: limit) { end in
            end.withUnsafeMutableBufferPointer { room, count in
                guard let start = room.baseAddress else { return }
                var pen = BytePen(at: start, room: limit)
                write(&pen)
                count = pen.next - start
            }
        }
    }
}
