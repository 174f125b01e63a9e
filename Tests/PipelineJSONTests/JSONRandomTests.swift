import PipelineJSON
import Testing

@Suite("Random texts", .timeLimit(.minutes(1)))
struct JSONRandomTests {
    @Test("a random value is equal after it was written and read again")
    func roundTrip() throws {
        var random = SeededGenerator()
        print("JSON round trip: seed \(random.seed)")
        for _ in 0..<300 {
            let value = random.value(depth: 5)
            let read = try JSONValue(parsing: value.serialized())
            #expect(read == value, "seed \(random.seed)")
            #expect(try JSONValue(parsing: value.prettyPrinted()) == value, "seed \(random.seed)")
            #expect(read.description == value.description, "seed \(random.seed)")
            #expect(read.detached() == value.detached(), "seed \(random.seed)")
            for node in read.elements {
                #expect(try JSONValue(parsing: node.sourceText) == node, "seed \(random.seed)")
            }
        }
    }

    @Test("a text with random damage is read or refused, but never crashes")
    func mutations() throws {
        var random = SeededGenerator()
        print("JSON mutations: seed \(random.seed)")
        var texts = (0..<20).map { _ in random.value(depth: 4).serialized() }
        texts.append(
            Array(#"{"a":"\ud83d\ude00\ud800","b":[1.5e-3,-0,true,null],"é":{"日本":"😀"}}"#.utf8))
        texts.append(Array("\u{FEFF} [ 1 , { \"a\" : [ ] } ]\r\n".utf8))
        let tokens =
            [UInt8]("{}[]\",:\\u-+.eE0179tfn/'# \n\u{0}\u{1}\u{7F}".utf8) + [
                0x80, 0xC3, 0xED, 0xF4, 0xFF,
            ]
        var read = 0
        for _ in 0..<20_000 {
            guard var text = texts.randomElement(using: &random) else { return }
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0...text.count, using: &random)
                let token = tokens.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<4, using: &random) {
                case 0: text.insert(token, at: place)
                case 1 where place < text.count: text[place] = token
                case 2 where place < text.count: text.remove(at: place)
                case 3: text.removeSubrange(place...)
                default: break
                }
            }
            do {
                let value = try JSONValue(parsing: text)
                read += 1
                #expect(value.detached() == value, "seed \(random.seed)")
                #expect(try JSONValue(parsing: value.serialized()) == value, "seed \(random.seed)")
                _ = value.doubledNames()
            } catch {
                #expect(0...text.count ~= error.offset, "seed \(random.seed)")
            }
        }
        print("JSON mutations: \(read) of 20,000 are still JSON")
        #expect(0 < read && read < 20_000)
    }
}

/// SplitMix64, so that a seed that was printed gives the same values again.
private struct SeededGenerator: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    init(seed: UInt64 = .random(in: 0 ... .max)) {
        self.seed = seed
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &self) {
        case 0: .null
        case 1: JSONValue(Bool.random(using: &self))
        case 2: JSONValue(Int(truncatingIfNeeded: next()))
        case 3: JSONValue(Double.random(in: -1e6...1e6, using: &self)) ?? .null
        case 4, 5: JSONValue(string())
        case 6: JSONValue(array: (0..<size()).map { _ in value(depth: depth - 1) })
        default:
            JSONValue(object: (0..<size()).map { _ in (string(), value(depth: depth - 1)) })
        }
    }

    private mutating func size() -> Int { Int.random(in: 0...5, using: &self) }

    private mutating func string() -> String {
        let scalars =
            "aZ09 \"\\/\n\t\r\u{0}\u{1F}\u{7F}\u{80}é\u{301}ß日\u{2028}\u{FFFD}\u{FFFF}😀\u{10FFFF}"
            .unicodeScalars
        var string = ""
        for _ in 0..<Int.random(in: 0...12, using: &self) {
            if let scalar = scalars.randomElement(using: &self) {
                string.unicodeScalars.append(scalar)
            }
        }
        return string
    }
}
