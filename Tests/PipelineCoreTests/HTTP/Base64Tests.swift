import PipelineCore
import TestSupport
import Testing

@Suite("Base64")
struct Base64Tests {
    /// The test vectors of RFC 4648, section 10.
    @Test(
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func `the vectors of RFC 4648 hold both ways`(plain: String, encoded: String) {
        #expect(Base64.encode(plain.utf8) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
    }

    @Test(arguments: ["Zg", "Zg=", "Zh==", "Z===", "====", "Zm9v!", "Zg==Zg=="])
    func `what is not Base64 is refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test func `any bytes come back`() {
        var generator = SeededGenerator(seed: printedSeed("Base64"))
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }
}
