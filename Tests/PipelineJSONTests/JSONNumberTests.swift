import PipelineJSON
import Testing

@Suite("Numbers")
struct JSONNumberTests {
    private static func number(_ text: String) throws -> JSONNumber {
        try #require(JSONNumber(text), "\(text)")
    }

    static let huge = "1e" + String(repeating: "9", count: 40)

    @Test(
        "O28: one value however it is written",
        arguments: [
            ["1", "1.0", "10e-1", "0.1e1", "100E-2", "0.00001e+5", "1e0", "1e-0"],
            ["0", "-0", "0.0", "-0.0e5", "0e999999999999999999999999"],
            ["-12.5", "-1.25e1", "-125e-1", "-12.50"],
            ["1e400", "10e399", "0.1e401"],
            ["12345678901234567890123.4500", "1234567890123456789012345e-2"],
            ["1e1000000000", "10e999999999"],
            // Exponents on both sides of the largest Int, and far beyond it.
            ["1e9223372036854775807", "10e9223372036854775806", "0.1e9223372036854775808"],
            ["1e-9223372036854775808", "10e-9223372036854775809", "0.1e-9223372036854775807"],
            ["1e100000000000000000000", "10e99999999999999999999", "0.01e100000000000000000002"],
            [
                "1e-100000000000000000000", "0.1e-99999999999999999999",
                "100e-0100000000000000000002",
            ],
        ])
    func equal(texts: [String]) throws {
        for left in texts {
            for right in texts {
                #expect(try Self.number(left) == Self.number(right), "\(left) \(right)")
                #expect(try !(Self.number(left) < Self.number(right)), "\(left) \(right)")
                #expect(try Self.number(left).hashValue == Self.number(right).hashValue)
                #expect(try JSONValue(parsing: left) == JSONValue(parsing: right))
            }
        }
    }

    @Test("numbers are ordered by their exact values")
    func order() throws {
        let ascending = try [
            "-" + Self.huge, "-1e9223372036854775808", "-1e9223372036854775806", "-1e400", "-10",
            "-9.5",
            "-1e-400", "-1e-99999999999999999999", "0", "1e-99999999999999999999",
            "1e-99999999999999999998", "1e-400", "0.1", "1", "1.0000000000000000000000000000001",
            "1.1",
            "9", "10", "69187.62", "69187.62000000001", "9007199254740992", "9007199254740993",
            "9223372036854775807", "9223372036854775808", "1e400", "1e9223372036854775806",
            "1e9223372036854775808", "1e99999999999999999999", "1.5e99999999999999999999",
            "1e100000000000000000000", Self.huge,
        ].map(Self.number)
        for (place, number) in ascending.enumerated() {
            for (otherPlace, other) in ascending.enumerated() {
                #expect((number < other) == (place < otherPlace), "\(number) \(other)")
                #expect((number == other) == (place == otherPlace), "\(number) \(other)")
            }
        }
    }

    @Test("O28: a number equals neither the string of its digits nor a boolean")
    func kinds() {
        #expect(JSONValue(1) != JSONValue("1"))
        #expect(JSONValue(1) != JSONValue(true))
        #expect(JSONValue(0) != JSONValue.null)
    }

    @Test("O21: numbers keep all their digits from the text to what is written")
    func digits() throws {
        let text =
            #"{"id":9223372036854775808,"n":9007199254740993,"price":1.10,"e":1E+400,"z":-0}"#
        let value = try JSONValue(parsing: text)
        #expect(value["id"]?.number?.text == "9223372036854775808")
        #expect(value["price"]?.sourceText == "1.10")
        #expect(value.description == text)
        #expect(value.detached().description == text)
        #expect(JSONValue(array: [value]).description == "[\(text)]")
        #expect(JSONValue(try Self.number("1.10")).description == "1.10")
    }

    @Test(
        "O21: an integer is given when the value is one and fits, else none",
        arguments: [
            ("0", 0), ("-0", 0), ("1.0", 1), ("1e2", 100), ("-12e1", -120), ("120e-1", 12),
            ("0e999", 0),
            ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.5", nil),
            ("1e-1", nil),
            ("9999999999999999999", nil), ("1e19", nil), ("12345678901234567890", nil),
            ("1e400", nil),
            ("1e99999999999999999999", nil), ("1000000000000000000.5", nil),
            ("1e18", 1_000_000_000_000_000_000),
        ])
    func integers(text: String, int: Int?) throws {
        #expect(try Self.number(text).int == int)
    }

    @Test("a Double is the nearest one")
    func doubles() throws {
        #expect(try Self.number("69187.62000000001").double == 69187.62000000001)
        #expect(try Self.number("-1e400").double == -.infinity)
        #expect(try Self.number("1e-400").double == 0)
        #expect(try Self.number("5e-324").double == .leastNonzeroMagnitude)
        #expect(JSONValue(Double.nan) == nil as JSONValue?)
        #expect(JSONValue(Double.infinity) == nil as JSONValue?)
        for double in [0.1, -2.5e-300, 1e22, 123_456_789.125, .greatestFiniteMagnitude] {
            #expect(try #require(JSONValue(double)).number?.double == double)
        }
    }

    @Test(
        "a text that is not exactly a number is none",
        arguments: ["", " 1", "1 ", "01", "0x1", "NaN", "\"1\"", "[1]"])
    func invalid(text: String) {
        #expect(JSONNumber(text) == nil)
    }
}
