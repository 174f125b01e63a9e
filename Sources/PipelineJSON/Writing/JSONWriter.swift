/// Writes JSON text piece by piece, without building a value first.
///
/// Commas, colons, line breaks and indentation come by themselves; that each name has a value and each
/// beginning its end is up to the caller.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.beginObject()
/// writer.name("status")
/// writer.value(200)
/// writer.endObject()
/// writer.bytes     // {"status":200}
/// ```
public struct JSONWriter: Sendable {
    /// The text so far, in UTF-8 and without a line break at its end.
    public private(set) var bytes: [UInt8] = []

    private let indentation: Int?
    private var depth = 0
    private var followsValue = false
    private var followsName = false

    /// A writer with an empty text: compact, or with a line for each element and an indentation of two.
    public init(pretty: Bool = false) {
        self.init(indentation: pretty ? 2 : nil)
    }

    init(indentation: Int?) {
        self.indentation = indentation
    }

    /// A compact writer whose text follows what is there already, so that nothing is copied.
    package init(following bytes: consuming [UInt8]) {
        indentation = nil
        self.bytes = bytes
    }

    /// Begins an object as the next value.
    public mutating func beginObject() { begin(UInt8(ascii: "{")) }

    /// Ends the innermost object.
    public mutating func endObject() { end(UInt8(ascii: "}")) }

    /// Begins an array as the next value.
    public mutating func beginArray() { begin(UInt8(ascii: "[")) }

    /// Ends the innermost array.
    public mutating func endArray() { end(UInt8(ascii: "]")) }

    /// Writes the name of the member whose value comes next.
    public mutating func name(_ name: String) {
        separate()
        appendString(name.utf8)
        endName()
    }

    /// The text, given up by the writer, so that whoever takes it may change it without a copy.
    package consuming func finished() -> [UInt8] { bytes }

    /// Writes a name that needs no escapes.
    package mutating func plainName(_ name: StaticString) {
        guard indentation == nil else { return self.name(name.description) }
        appendMember(name, value: UnsafeBufferPointer(start: nil, count: 0))
        followsName = true
    }

    /// Writes a member whose name needs no escapes.
    package mutating func plainMember(_ name: StaticString, _ value: String) {
        var value = value
        let isDone = value.withUTF8 { text in
            guard indentation == nil, Self.isPlain(text) else { return false }
            appendMember(name, value: text, quote: UInt8(ascii: "\""))
            return true
        }
        guard !isDone else { return }
        plainName(name)
        self.value(value)
    }

    /// Writes a member whose name needs no escapes.
    package mutating func plainMember(_ name: StaticString, _ integer: Int) {
        plainMember(name, UInt64(integer.magnitude), isNegative: integer < 0)
    }

    /// Writes a member whose name needs no escapes, a number of thousandths.
    package mutating func plainMember(_ name: StaticString, thousandths: Int64) {
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1_000)
        plainMember(name, whole, thousandths: rest, isNegative: thousandths < 0)
    }

    private mutating func plainMember(
        _ name: StaticString, _ whole: UInt64, thousandths: UInt64 = 0, isNegative: Bool
    ) {
        guard indentation == nil else {
            plainName(name)
            return value(whole, thousandths: thousandths, isNegative: isNegative)
        }
        Self.withDigits(whole, thousandths, isNegative) { appendMember(name, value: $0) }
    }

    /// Appends a name and what follows it, looking only once whether there is room.
    private mutating func appendMember(
        _ name: StaticString, value: UnsafeBufferPointer<UInt8>, quote: UInt8? = nil
    ) {
        name.withUTF8Buffer { name in
            bytes.append(upTo: name.count + value.count + 6) { pen in
                if followsValue { pen.put(UInt8(ascii: ",")) }
                pen.put(UInt8(ascii: "\""))
                pen.put(name)
                pen.put(UInt8(ascii: "\""))
                pen.put(UInt8(ascii: ":"))
                if let quote { pen.put(quote) }
                pen.put(value)
                if let quote { pen.put(quote) }
            }
        }
        followsValue = true
    }

    /// Writes a number of thousandths with the decimals that it needs: `48.25`.
    package mutating func value(thousandths: Int64) {
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1_000)
        value(whole, thousandths: rest, isNegative: thousandths < 0)
    }

    private mutating func value(_ whole: UInt64, thousandths: UInt64 = 0, isNegative: Bool) {
        separate()
        Self.withDigits(whole, thousandths, isNegative) { bytes.append(contentsOf: $0) }
    }

    /// Gives a number as text to a closure; it is put there from its last digit to its first.
    private static func withDigits(
        _ whole: UInt64, _ thousandths: UInt64, _ isNegative: Bool,
        _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        // A sign, 20 digits, a point and three decimals.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 25) { text in
            var start = text.count
            func put(_ byte: UInt8) {
                start -= 1
                text[start] = byte
            }
            func put(digit: UInt64) { put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)) }
            if thousandths > 0 {
                var rest = thousandths
                for _ in 0..<3 {
                    // Zeros at the end are left out.
                    if rest % 10 > 0 || start < text.count { put(digit: rest % 10) }
                    rest /= 10
                }
                put(UInt8(ascii: "."))
            }
            var rest = whole
            repeat {
                put(digit: rest % 10)
                rest /= 10
            } while rest > 0
            if isNegative { put(UInt8(ascii: "-")) }
            body(UnsafeBufferPointer(rebasing: text[start...]))
        }
    }

    /// Writes a string.
    public mutating func value(_ string: String) {
        separate()
        appendString(string.utf8)
    }

    /// Writes an integer.
    public mutating func value(_ integer: Int) {
        value(UInt64(integer.magnitude), isNegative: integer < 0)
    }

    /// Writes `true` or `false`.
    public mutating func value(_ boolean: Bool) {
        separate()
        let word: StaticString = boolean ? "true" : "false"
        word.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Writes a number with its digits as they were written.
    public mutating func value(_ number: JSONNumber) {
        separate()
        bytes.append(contentsOf: number.text.utf8)
    }

    /// Writes `null`.
    public mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes a value and all that it holds in the layout of this writer.
    ///
    /// Numbers keep their digits; strings get the escapes they need and no others. Takes no stack
    /// however deep the value is.
    public mutating func value(_ value: JSONValue) {
        let document = value.document
        /// Containers that are begun: whether they are objects, and the index of the node after them.
        var open: [(isObject: Bool, end: Int)] = []
        var index = value.index
        while true {
            while let container = open.last, container.end == index {
                open.removeLast()
                if container.isObject { endObject() } else { endArray() }
            }
            guard index < value.end else { return }
            let node = document.nodes[index]
            if node.isContainer {
                if node.isObject { beginObject() } else { beginArray() }
                open.append((node.isObject, document.next(after: index)))
            } else {
                let isName = !followsName && open.last?.isObject == true
                separate()
                if node.hasEscapes {
                    appendString(JSONStringContent(document: document, index: index).utf8)
                } else {
                    bytes.append(contentsOf: document.bytes[document.sourceRange(of: index)])
                }
                if isName { endName() }
            }
            index += 1
        }
    }

    private mutating func appendString(_ utf8: some Sequence<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        Self.appendEscaped(utf8, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        depth += 1
        followsValue = false
    }

    private mutating func end(_ bracket: UInt8) {
        depth -= 1
        if followsValue { breakLine() }
        bytes.append(bracket)
        followsValue = true
    }

    private mutating func endName() {
        bytes.append(UInt8(ascii: ":"))
        if indentation != nil { bytes.append(UInt8(ascii: " ")) }
        followsName = true
    }

    /// Puts what belongs between the last token and a value or name that comes next.
    private mutating func separate() {
        defer {
            followsName = false
            followsValue = true
        }
        guard !followsName else { return }
        if followsValue { bytes.append(UInt8(ascii: ",")) }
        if depth > 0 { breakLine() }
    }

    private mutating func breakLine() {
        guard let indentation else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation * depth))
    }
}
