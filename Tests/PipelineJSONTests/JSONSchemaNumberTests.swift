import PipelineJSON
import TestSupport
import Testing

@Suite("JSON Schema numbers", .timeLimit(.minutes(1)))
struct JSONSchemaNumberTests {
    /// A number, a divisor, and whether it is a multiple.
    private static let multiples: [(String, String, Bool)] = [
        ("0", "7", true), ("-0.0e5", "0.1", true), ("0.3", "0.1", true), ("-0.3", "0.1", true),
        ("0.35", "0.1", false), ("4.35", "0.01", true), ("1.1", "0.11", true), ("1", "3", false),
        ("69187.62", "0.01", true), ("69187.62000000001", "0.01", false),
        ("1e400", "7", false), ("7e400", "7", true), ("1e400", "1e399", true),
        ("1e-400", "1e-401", true), ("1e-401", "1e-400", false), ("3e400", "0.3", true),
        ("1", "1024", false), ("1e10", "1024", true), ("1e9", "1024", false),
        ("5", "2.5e0", true), ("10", "4", false), ("100", "4", true), ("12", "8", false),
        ("1e999999999999999999", "16", true), ("1e999999999999999999", "3", false),
        ("6e999999999999999999", "1.5e-999999999999999999", true),
        ("1e99999999999999999999", "1e99999999999999999998", true),
        ("1e99999999999999999998", "1e99999999999999999999", false),
        ("3e-99999999999999999998", "1.5e-99999999999999999998", true),
        ("3e-99999999999999999999", "1.5e-99999999999999999998", false),
        ("1e-99999999999999999999", "1e99999999999999999999", false),
        ("1e99999999999999999999", "1e-99999999999999999999", true),
        ("2e100000000000000000000", "4e99999999999999999999", true),
        ("121932631356500531347203169112635269", "123456789123456789", true),
        ("121932631356500531347203169112635270", "123456789123456789", false),
        (
            "15241578753238836750495351562536198787501905199875019052100",
            "123456789012345678901234567890", true
        ),
        (
            "15241578753238836750495351562536198787501905199875019052101",
            "123456789012345678901234567890", false
        ),
        ("1234567890123456789012345678900", "1234567890123456789012345678.9", true),
    ]

    @Test("multipleOf is exact for numbers of any length and exponent", arguments: multiples)
    func multipleOf(number: String, divisor: String, isMultiple: Bool) throws {
        let schema = try JSONSchema(JSONValue(parsing: "{\"multipleOf\":\(divisor)}"))
        #expect(schema.validate(try JSONValue(parsing: number)).isEmpty == isMultiple)
    }

    @Test("multipleOf agrees with whole arithmetic, wherever the decimal points are")
    func randomMultiples() throws {
        var random = SeededGenerator(seed: printedSeed("JSON Schema multiples"))
        var multiples = 0
        for _ in 0..<2_000 {
            let divisor = Int.random(in: 1...1_000, using: &random)
            let factor = Int.random(in: -1_000...1_000, using: &random)
            let rest = Bool.random(using: &random) ? 0 : Int.random(in: 0..<divisor, using: &random)
            let number = divisor * factor + rest
            let exponent = Int.random(in: -30...30, using: &random)
            let schema = try JSONSchema(
                JSONValue(parsing: "{\"multipleOf\":\(divisor)e\(exponent)}"))
            let value = try JSONValue(parsing: "\(number)e\(exponent)")
            let isMultiple = number.isMultiple(of: divisor)
            #expect(
                schema.validate(value).isEmpty == isMultiple, "\(value) of \(divisor)e\(exponent)")
            multiples += isMultiple ? 1 : 0
        }
        #expect(500..<2_000 ~= multiples)
    }

    /// A number, and whether it is an integer.
    private static let integers: [(String, Bool)] = [
        ("1", true), ("-0", true), ("1.0", true), ("1.50e1", true), ("1.5", false),
        ("1e-1", false), ("10e-1", true), ("0e-5", true), ("1e400", true), ("1e-400", false),
        ("1e99999999999999999999", true), ("1e-99999999999999999999", false),
        ("12345678901234567890.0", true), ("12345678901234567890.10", false),
        ("123456789012345678901234567890e-1", true), ("123456789012345678901234567890e-2", false),
    ]

    @Test("an integer is a number without a fraction, however it is written", arguments: integers)
    func integer(number: String, isInteger: Bool) throws {
        let schema = try JSONSchema(["type": "integer"])
        #expect(schema.validate(try JSONValue(parsing: number)).isEmpty == isInteger)
    }

    @Test("limits and counts may be of any size")
    func limits() throws {
        func findings(_ schema: String, _ value: String) throws -> Int {
            try JSONSchema(JSONValue(parsing: schema)).validate(JSONValue(parsing: value)).count
        }
        #expect(try findings(#"{"maximum": 1e999}"#, "1e1000") == 1)
        #expect(try findings(#"{"maximum": 1e999}"#, "10e998") == 0)
        #expect(try findings(#"{"exclusiveMinimum": 9007199254740992}"#, "9007199254740993") == 0)
        #expect(try findings(#"{"exclusiveMinimum": 9007199254740993}"#, "9007199254740993") == 1)
        #expect(try findings(#"{"maxLength": 1e300, "minItems": 99999999999999999999}"#, "[]") == 1)
        #expect(try findings(#"{"maxLength": 1e300}"#, #""a""#) == 0)
        #expect(try findings(#"{"minLength": 2.0}"#, #""a""#) == 1)
        #expect(try findings(#"{"const": 1e99999999999999999999}"#, "10e99999999999999999998") == 0)
    }
}
