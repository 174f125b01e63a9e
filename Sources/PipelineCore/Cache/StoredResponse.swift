/// A response as a cache gives it out; it stays readable when the cache drops it.
struct StoredResponse: Sendable {
    var head: CachedHead
    let body: Body

    enum Body: Sendable {
        case bytes(Shared<[UInt8]>)
        case file(EntryFile)

        /// How many bytes it has.
        var size: Int {
            switch self {
            case .bytes(let bytes): bytes.value.count
            case .file(let file): file.bodySize
            }
        }

        /// What comes at a place, as much as is well read at once: nothing at the end, `nil` when it
        /// cannot be read.
        func part(at offset: Int) -> [UInt8]? {
            switch self {
            case .bytes(let bytes): offset == 0 ? bytes.value : Array(bytes.value[offset...])
            case .file(let file): file.part(at: offset)
            }
        }
    }
}
