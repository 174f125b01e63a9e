import PipelineJSON
import Testing

@testable import PipelineCommand

@Suite("Values for several runs")
struct DataFileTests {
    typealias Row = CommaSeparatedValues.Row

    @Test(
        "Rows and columns are read as RFC 4180 has them",
        arguments: [
            (
                "a,b\r\n1,2\r\n",
                [Row(line: 1, cells: ["a", "b"]), Row(line: 2, cells: ["1", "2"])]
            ),
            ("a\n1", [Row(line: 1, cells: ["a"]), Row(line: 2, cells: ["1"])]),
            (
                "\"a,\"\"b\"\"\r\nc\",d\n\n,\n",
                [
                    Row(line: 1, cells: ["a,\"b\"\r\nc", "d"]), Row(line: 4, cells: ["", ""]),
                ]
            ),
            ("\"\"\n", [Row(line: 1, cells: [""])]),
            (" a , b\n", [Row(line: 1, cells: [" a ", " b"])]),
            ("a,", [Row(line: 1, cells: ["a", ""])]),
            ("", []),
        ])
    func rows(_ text: String, _ expected: [Row]) throws {
        #expect(try CommaSeparatedValues.rows(of: text.utf8) == expected)
    }

    @Test(
        "What is no CSV is told with its line",
        arguments: [
            ("a\n\"b", 2, "a quote that nothing ends"),
            ("a\nb\"c\"", 2, "a quote within a cell; put the cell in quotes and double it"),
            ("\"a\nb\"c", 2, "text after the quote that ends a cell; expected a comma"),
            ("a\rb", 1, "a CR without the LF of a line's end"),
        ])
    func malformed(_ text: String, _ line: Int, _ message: String) {
        #expect(throws: CommaSeparatedValues.Failure(line: line, message: message)) {
            _ = try CommaSeparatedValues.rows(of: text.utf8)
        }
    }

    @Test("The cells of a CSV file are strings, without the byte order mark")
    func table() throws {
        let data = try DataFile(Array("\u{FEFF}user,n\r\nada,1\r\n\"o,b\",\r\n".utf8))
        #expect(data.names == ["user", "n"])
        #expect(data.rows == [["user": "ada", "n": "1"], ["user": "o,b", "n": ""]])
    }

    @Test("The values of a JSON array keep their types, and may be missing")
    func objects() throws {
        let data = try DataFile(Array(#" [{"user": "ada", "n": 1.50}, {"n": [true]}]"#.utf8))
        #expect(data.names == ["user", "n"])
        #expect(data.rows.map { $0["n"]?.description } == ["1.50", "[true]"])
        #expect(data.rows[1]["user"] == nil)
    }

    @Test(
        "A file that cannot be used is refused with the line",
        arguments: [
            ("", "1: there is no row to run with"),
            ("a,b\n", "1: there is no row to run with"),
            ("[]", "1: there is no row to run with"),
            ("a,b\n1\n", "2: expected as many cells as in the first row, 2, found 1"),
            ("a,a\n1,2\n", "1: there are two columns \"a\""),
            ("a, b\n1,2\n", "1: \" b\" is not the name of a variable; the first row names them"),
            ("[1]", "1: expected an array of objects, found a number at [0]"),
            ("{\"a\": 1}", "1: expected an array of objects, found an object"),
            ("[{\"a\": }]", "1:8: this is not JSON"),
        ])
    func refused(_ text: String, _ message: String) {
        #expect(throws: UsageError(message)) { _ = try DataFile(Array(text.utf8)) }
    }
}
