/// Puts bytes where there is room for them.
///
/// Through a pointer: all text of reports passes here in pieces of a few bytes, and to look for each
/// of them whether there is room, and whether the array has one owner, costs more than the bytes.
@usableFromInline
package struct BytePen: ~Copyable {
    @usableFromInline
    var next: UnsafeMutablePointer<UInt8>

    @inlinable @inline(__always)
    init(at start: UnsafeMutablePointer<UInt8>) {
        next = start
    }

    /// Puts a byte.
    @inlinable @inline(__always)
    package mutating func put(_ byte: UInt8) {
        next.initialize(to: byte)
        next += 1
    }

    /// Puts bytes.
    @inlinable @inline(__always)
    package mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
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
                var pen = BytePen(at: start)
                write(&pen)
                count = pen.next - start
                precondition(count <= limit, "more was written than there is room for")
            }
        }
    }
}
