import Foundation
import PipelineJSON
import Testing

@Suite(
    "JSONPath compliance suite", .enabled(if: ConformanceData.isPresent, ConformanceData.absence))
struct JSONPathComplianceTests {
    private let cases: [JSONValue]

    init() throws {
        let url = ConformanceData.folder.appending(path: "jsonpath/cts.json")
        let suite = try JSONValue(parsing: [UInt8](try Data(contentsOf: url)))
        cases = Array(try #require(suite["tests"]).elements)
    }

    @Test("every case holds, with the normalized paths of its nodes")
    func compliance() throws {
        var passed = 0
        for example in cases {
            let text = try #require(example["selector"]?.string)
            let isPassed =
                example["invalid_selector"]?.boolean == true
                ? isRefused(text) : try selectsAsSaid(text, example)
            #expect(isPassed, "\(example["name"]?.string ?? "")")
            if isPassed { passed += 1 }
        }
        print("JSONPath compliance suite: \(passed) of \(cases.count)")
        #expect(passed == cases.count && cases.count >= 703)
    }

    private func isRefused(_ text: String) -> Bool {
        do {
            _ = try JSONPath(text)
            return false
        } catch {
            return 0...text.utf8.count ~= error.offset
        }
    }

    private func selectsAsSaid(_ text: String, _ example: JSONValue) throws -> Bool {
        let document = try #require(example["document"])
        let path = try JSONPath(text)
        let nodes = path.locatedNodes(in: document)
        #expect(path.nodes(in: document) == nodes.map(\.value))
        for node in nodes {
            // A normalized path is a path, and selects the node alone.
            let path = try JSONPath(node.path)
            #expect(path.isSingular && path.nodes(in: document) == [node.value])
        }
        let values = JSONValue(array: nodes.map(\.value))
        let paths = JSONValue(array: nodes.map { JSONValue($0.path) })
        let wanted = ["result", "results", "result_paths", "results_paths"].map { example[$0] }
        guard let results = wanted[0].map({ [$0] }) ?? wanted[1].map({ Array($0.elements) }),
            let place = results.firstIndex(of: values)
        else { return false }
        let wantedPaths = wanted[2].map { [$0] } ?? wanted[3].map { Array($0.elements) } ?? []
        return wantedPaths.isEmpty || wantedPaths[place] == paths
    }
}
