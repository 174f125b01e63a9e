import PipelineJSON
import TestSupport
import Testing

@testable import PipelineCore

@Suite("Hosts in any script")
struct InternationalHostTests {
    // The A-labels are those of other implementations of IDNA 2008.
    @Test(
        "They go out in A-labels, whatever the locale",
        arguments: [
            ("http://bücher.example/a", "http://xn--bcher-kva.example/a"),
            ("https://BÜCHER.example:8443", "https://xn--bcher-kva.example:8443"),
            ("http://例え.jp/é?ü#ö", "http://xn--r8jz45g.jp/%C3%A9?%C3%BC"),
            ("http://例え。jp", "http://xn--r8jz45g.jp"),
            ("http://пример.рф", "http://xn--e1afmkfd.xn--p1ai"),
            ("http://straße.example", "http://xn--strae-oqa.example"),
            ("http://faß.de", "http://xn--fa-hia.de"),
            ("http://ελλάς.gr", "http://xn--hxarsa0b.gr"),
            ("http://a.b/é", "http://a.b/%C3%A9"),
        ])
    func labels(text: String, expected: String) throws {
        #expect(try HTTPURL(text).text == expected)
    }

    @Test(
        "What is no name is refused",
        arguments: [
            "http://bu\u{308}cher.example", "http://a\u{200B}b.example", "http://-é.example",
            "http://é\u{2044}.example", "http://\u{301}a.example", "http://é/\n",
            "http://\(String(repeating: "é", count: 64)).example",
        ])
    func refused(text: String) {
        #expect(throws: HTTPURLError.self) { try HTTPURL(text) }
    }

    @Test("Whatever is taken is a label that stands for what was written")
    func random() {
        var generator = SeededGenerator(seed: printedSeed("international hosts"))
        for _ in 0..<2_000 {
            let count = Int.random(in: 1...12, using: &generator)
            let scalars = (0..<count).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0x61...0x4FFF, using: &generator))
            }
            let name = String(String.UnicodeScalarView(scalars))
            guard let ascii = InternationalHost.ascii(name) else { continue }
            #expect(ascii.utf8.allSatisfy { $0 < 0x80 })
            #expect(InternationalHost.ascii(ascii) == ascii, "\(name)")
        }
    }
}
