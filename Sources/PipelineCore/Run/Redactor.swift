package import PipelineJSON
import Synchronization

/// Replaces secrets by `***` in whatever is about to leave the process.
///
/// Beside the secret itself, the forms are replaced that it takes on its way: percent-encoded,
/// form-encoded, JSON-escaped, Base64 and Base64url. So is the beginning of a secret that a text
/// was cut within, which an ellipsis shows. The set only grows: a value that was secret
/// once stays masked for the rest of the run.
package final class Redactor: Sendable {
    private let state = Mutex(State())

    private struct State {
        /// Longest first, so that a form that contains another one is replaced whole.
        var needles: [[UInt8]] = []
        /// Whether a byte begins one of them.
        var isStart = [Bool](repeating: false, count: 256)
    }

    /// Shorter secrets are refused: masking them would turn every text into stars.
    package static let minimumLength = 4

    package init() {}

    /// Masks a value from now on, and of an object or array also each text and number in it, since
    /// it may turn up in other company.
    ///
    /// - Returns: Whether the value is long enough to be masked.
    package func add(_ value: JSONValue) -> Bool {
        var open = [value]
        while let next = open.popLast() {
            open += next.elements
            open += next.members.map(\.value)
            if next.kind == .string || next.kind == .number { _ = add(next.plainText) }
        }
        return add(value.plainText)
    }

    /// Masks a text from now on; `false` when it is too short for that.
    package func add(_ secret: String) -> Bool {
        guard secret.utf8.count >= Self.minimumLength else { return false }
        let forms = SecretForms.all(of: secret)
        state.withLock { state in
            state.needles = Set(state.needles + forms).sorted {
                $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count > $1.count
            }
            for needle in forms { state.isStart[Int(needle[0])] = true }
        }
        return true
    }

    /// Whether there is anything to mask.
    package var isEmpty: Bool { state.withLock { $0.needles.isEmpty } }

    /// The bytes without secrets, whatever else they are.
    package func masked(_ bytes: [UInt8]) -> [UInt8] {
        let (needles, isStart) = state.withLock { ($0.needles, $0.isStart) }
        return needles.isEmpty ? bytes : Self.replace(bytes, needles, isStart)
    }

    /// The text without secrets.
    package func redact(_ text: String) -> String {
        let (needles, isStart) = state.withLock { ($0.needles, $0.isStart) }
        guard !needles.isEmpty else { return text }
        return String(decoding: Self.replace(Array(text.utf8), needles, isStart), as: UTF8.self)
    }

    private static let ellipsis = Array("…".utf8)

    /// Masks the beginning of a secret that a text was cut within.
    private static func maskEnd(of text: inout [UInt8], _ needles: [[UInt8]]) {
        var longest = 0
        for needle in needles { longest = max(longest, beginning(of: needle, atEndOf: text)) }
        guard longest >= minimumLength else { return }
        text.removeLast(longest)
        text.append(contentsOf: "***".utf8)
    }

    /// How many bytes of a secret, not all of them, a text ends with.
    private static func beginning(of needle: [UInt8], atEndOf text: [UInt8]) -> Int {
        let lengths = 0..<min(needle.count, text.count + 1)
        return lengths.last { text.suffix($0).elementsEqual(needle.prefix($0)) } ?? 0
    }

    private static func replace(
        _ text: [UInt8], _ needles: [[UInt8]], _ isStart: [Bool]
    ) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var offset = 0
        scan: while offset < text.count {
            if text[offset...].starts(with: ellipsis) { maskEnd(of: &result, needles) }
            if isStart[Int(text[offset])] {
                for needle in needles where text[offset...].starts(with: needle) {
                    result.append(contentsOf: "***".utf8)
                    offset += needle.count
                    continue scan
                }
            }
            result.append(text[offset])
            offset += 1
        }
        return result
    }
}
