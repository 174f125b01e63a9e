import PipelineJSON
import Testing

@Suite("JSONTestSuite", .enabled(if: ConformanceData.isPresent, ConformanceData.absence))
struct JSONTestSuiteTests {
    @Test("every y_ file parses")
    func accepted() throws {
        let files = try ConformanceData.parsingFiles("y_")
        for file in files {
            #expect(throws: Never.self, "\(file.name)") { try JSONValue(parsing: file.bytes) }
        }
        print("JSONTestSuite: \(files.count) y_ files parse")
        #expect(files.count >= 95)
    }

    @Test("every n_ file is refused, with a place inside the text")
    func refused() throws {
        let files = try ConformanceData.parsingFiles("n_")
        for file in files {
            let error = #expect(throws: JSONError.self, "\(file.name)") {
                try JSONValue(parsing: file.bytes)
            }
            let offset = try #require(error).offset
            #expect(0...file.bytes.count ~= offset, "\(file.name)")
        }
        print("JSONTestSuite: \(files.count) n_ files are refused")
        #expect(files.count >= 187)
    }

    @Test("every i_ file is either read and written again, or refused")
    func either() throws {
        let files = try ConformanceData.parsingFiles("i_")
        var read = 0
        for file in files {
            guard let value = try? JSONValue(parsing: file.bytes) else { continue }
            read += 1
            #expect(try JSONValue(parsing: value.serialized()) == value, "\(file.name)")
        }
        print("JSONTestSuite: \(read) of \(files.count) i_ files parse")
        #expect(files.count >= 35)
    }

    @Test("what a y_ file holds is equal after it was written and read again")
    func roundTrip() throws {
        for file in try ConformanceData.parsingFiles("y_") {
            let value = try JSONValue(parsing: file.bytes)
            #expect(try JSONValue(parsing: value.serialized()) == value, "\(file.name)")
            #expect(try JSONValue(parsing: value.prettyPrinted()) == value, "\(file.name)")
            #expect(value.detached() == value, "\(file.name)")
        }
    }
}
