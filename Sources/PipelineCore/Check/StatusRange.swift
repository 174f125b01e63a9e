/// One status or a class of them, as a file writes it.
struct StatusRange: Sendable, Hashable, CustomStringConvertible {
    let codes: ClosedRange<Int>

    /// Any 2xx: what a request is expected to bring by default.
    static let success = StatusRange(codes: 200...299)

    init(codes: ClosedRange<Int>) {
        self.codes = codes
    }

    /// Reads a class such as `2xx`.
    init?(parsing text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 3, bytes[1...] == Array("xx".utf8)[...],
            UInt8(ascii: "1")...UInt8(ascii: "5") ~= bytes[0]
        else { return nil }
        let first = Int(bytes[0] - UInt8(ascii: "0")) * 100
        codes = first...first + 99
    }

    /// `200` or `2xx`.
    var description: String {
        codes.count == 1 ? "\(codes.lowerBound)" : "\(codes.lowerBound / 100)xx"
    }
}
