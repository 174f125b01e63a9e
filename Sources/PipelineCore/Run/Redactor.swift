package import PipelineJSON
import Synchronization

/// Replaces secrets by `***` in whatever is about to leave the process.
///
/// A secret is found however it is escaped (``EscapedText``), and in Base64 and Base64url wherever
/// it stands in the encoded bytes. So is the beginning of a secret that a text was cut within, which
/// an ellipsis shows. The set only grows: a value that was secret once stays masked for the rest of
/// the run.
package final class Redactor: Sendable {
    private let state = Mutex(State())

    /// What is looked for, by its first byte.
    private struct State {
        var isEmpty = true
        var known: Set<[UInt8]> = []
        /// Found however they are escaped.
        var secrets = [[[UInt8]]](repeating: [], count: 256)
        /// Found byte for byte.
        var forms = [[[UInt8]]](repeating: [], count: 256)

        mutating func add(_ secret: [UInt8]) {
            guard known.insert(secret).inserted else { return }
            isEmpty = false
            secrets[Int(secret[0])].append(secret)
            for form in SecretForms.all(of: secret) { forms[Int(form[0])].append(form) }
        }
    }

    /// Shorter secrets are refused: masking them would turn every text into stars.
    package static let minimumLength = 4
    /// Of a longer secret, the beginning is looked for: what follows it is masked as far as it
    /// agrees, and a hostile text cannot make the search slow.
    private static let longestNeedle = 1_024

    package init() {}

    /// Masks a value from now on, and of an object or array also each text and number in it, since
    /// it may turn up in other company.
    ///
    /// - Returns: Whether all of it is long enough to be masked, and none of it a Boolean or null.
    package func add(_ value: JSONValue) -> Bool {
        var texts: [String] = value.kind == .object || value.kind == .array ? [value.plainText] : []
        var open = [value]
        while let next = open.popLast() {
            open += next.elements
            open += next.members.map(\.value)
            switch next.kind {
            case .string, .number: texts.append(next.plainText)
            case .null, .boolean: texts.append("")
            case .object, .array: break
            }
        }
        return texts.reduce(true) { add($1) && $0 }
    }

    /// Masks a text from now on; `false` when it is too short for that.
    package func add(_ secret: String) -> Bool {
        guard secret.utf8.count >= Self.minimumLength else { return false }
        state.withLock { $0.add(Array(secret.utf8)) }
        return true
    }

    /// Whether there is anything to mask.
    package var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// The bytes without secrets, whatever else they are.
    package func masked(_ bytes: [UInt8]) -> [UInt8] {
        let state = state.withLock(\.self)
        return state.isEmpty ? bytes : Self.replace(bytes, state)
    }

    /// The text without secrets.
    package func redact(_ text: String) -> String {
        let state = state.withLock(\.self)
        guard !state.isEmpty else { return text }
        return String(decoding: Self.replace(Array(text.utf8), state), as: UTF8.self)
    }

    private static func replace(_ bytes: [UInt8], _ state: State) -> [UInt8] {
        bytes.withUnsafeBufferPointer { buffer in
            let text = EscapedText(bytes: buffer, end: buffer.count)
            var result: [UInt8] = []
            result.reserveCapacity(buffer.count)
            var place = 0
            /// Where what was replaced last ends.
            var unmasked = 0
            var ellipses = 0
            while place < buffer.count {
                if buffer[place] == ellipsis[0], ellipses < 64,
                    text.matchVerbatim(ellipsis, at: place) == .whole(place + ellipsis.count)
                {
                    ellipses += 1
                    if let cut = beginning(in: buffer, from: unmasked, to: place, state) {
                        result.removeLast(place - cut)
                        result.append(contentsOf: "***".utf8)
                        unmasked = place
                    }
                }
                if let end = longestMatch(in: text, at: place, state) {
                    result.append(contentsOf: "***".utf8)
                    place = end
                    unmasked = end
                } else {
                    result.append(buffer[place])
                    place += 1
                }
            }
            return result
        }
    }

    /// Where the longest secret ends that begins at a place; `nil` for none.
    private static func longestMatch(
        in text: EscapedText, at place: Int, _ state: State
    ) -> Int? {
        var longest: Int?
        func note(_ match: EscapedText.Match) {
            if case .whole(let end) = match { longest = max(longest ?? end, end) }
        }
        let first = text.bytes[place]
        for form in state.forms[Int(first)] { note(text.matchVerbatim(form, at: place)) }
        for secret in state.secrets[Int(first)] {
            note(match(secret, in: text, at: place) { $0.matchVerbatim($1, at: $2) })
        }
        let meant = text.firstByte(at: place)
        for secret in state.secrets[Int(meant)] {
            note(match(secret, in: text, at: place) { $0.matchDecoded($1, at: $2) })
        }
        // The plus sign of a form is a space, or itself.
        if meant == UInt8(ascii: "+") {
            for secret in state.secrets[0x20] { note(text.matchDecoded(secret, at: place)) }
        }
        return longest
    }

    /// Compares the beginning of a long secret first.
    private static func match(
        _ secret: [UInt8], in text: EscapedText, at place: Int,
        _ compare: (EscapedText, [UInt8], Int) -> EscapedText.Match
    ) -> EscapedText.Match {
        guard secret.count > longestNeedle else { return compare(text, secret, place) }
        let start = compare(text, Array(secret.prefix(longestNeedle)), place)
        guard case .whole = start else { return start }
        switch compare(text, secret, place) {
        case .none: return start
        case .beginning: return .whole(text.end)
        case .whole(let end): return .whole(end)
        }
    }

    /// Where the beginning of a secret stands that ends with the text before a place, not all of it.
    private static func beginning(
        in buffer: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int, _ state: State
    ) -> Int? {
        let text = EscapedText(bytes: buffer, end: end)
        let first = max(start, end - longestNeedle)
        guard first <= end - minimumLength else { return nil }
        return (first...end - minimumLength).first { place in
            let byte = Int(buffer[place])
            let isBegun: (EscapedText.Match) -> Bool = { match in
                if case .beginning(let count) = match { count >= minimumLength } else { false }
            }
            return state.forms[byte].contains { isBegun(text.matchVerbatim($0, at: place)) }
                || state.secrets[byte].contains { isBegun(text.matchVerbatim($0, at: place)) }
                || state.secrets[Int(text.firstByte(at: place))].contains {
                    isBegun(text.matchDecoded($0, at: place))
                }
        }
    }

    private static let ellipsis = Array("…".utf8)
}
