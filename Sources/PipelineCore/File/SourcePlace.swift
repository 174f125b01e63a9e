/// A stretch of a pipeline file: where something was written.
package struct SourcePlace: Sendable, Hashable {
    /// The bytes of the file, as offsets from its start.
    package var bytes: Range<Int> { Int(start)..<Int(end) }
    private let start: UInt32
    private let end: UInt32

    init(_ bytes: Range<Int>) {
        start = UInt32(bytes.lowerBound)
        end = UInt32(bytes.upperBound)
    }
}
