import PipelineJSON

/// What the response of one request must be, compiled when the file is loaded.
struct Expectations: Sendable {
    var status = Status()
    var json: [JSONExpectation] = []

    /// The statuses that are right.
    struct Status: Sendable {
        var ranges: [StatusRange] = [.success]
        /// Where the file says so; `nil` for the default.
        var place: SourcePlace?

        func finding(_ status: Int, fallback: SourcePlace) -> Finding? {
            guard !ranges.contains(where: { $0.codes.contains(status) }) else { return nil }
            let expected = ranges.map(\.description).joined(separator: " or ")
            return Finding(
                "expected status \(expected), got \(HTTPStatus.described(status))",
                at: place ?? fallback)
        }
    }

    /// A path and the value that is to be found there.
    struct JSONExpectation: Sendable {
        let path: JSONPath
        let expected: JSONTemplate
        let place: SourcePlace

        func finding(
            _ body: JSONValue, _ values: VariableValues
        ) throws(TemplateError) -> Finding? {
            let expected = try expected.value(values)
            let nodes = path.nodes(in: body)
            guard nodes.count == 1 else {
                let shown = nodes.prefix(5).map(\.shown).joined(separator: ", ")
                let found = nodes.isEmpty ? "nothing" : "\(nodes.count) values: \(shown)"
                return Finding(
                    "expected \(path.text) to be \(expected.shown), found \(found)", at: place)
            }
            guard nodes[0] != expected else { return nil }
            return Finding(
                "expected \(path.text) to be \(expected.shownWithType), "
                    + "got \(nodes[0].shownWithType)",
                at: place)
        }
    }

    /// Everything that does not hold, in the order of the file.
    func findings(
        _ response: HTTPResponse, _ body: ResponseJSON, _ values: VariableValues,
        fallback: SourcePlace
    ) throws(TemplateError) -> [Finding] {
        var findings: [Finding] = []
        if let finding = status.finding(response.status, fallback: fallback) {
            findings.append(finding)
        }
        guard let first = json.first else { return findings }
        do {
            let value = try body.value()
            for expectation in json {
                if let finding = try expectation.finding(value, values) { findings.append(finding) }
            }
        } catch let error as TemplateError {
            throw error
        } catch {
            findings.append(Finding(body.complaint(error), at: first.place))
        }
        return findings
    }
}

extension JSONValue {
    /// The value as messages show it, cut when it is long.
    var shown: String {
        let text = String(decoding: serialized(), as: UTF8.self)
        return text.count > 120 ? "\(text.prefix(120))…" : text
    }

    /// The value and its type.
    var shownWithType: String { isNull ? "null" : "\(shown) (\(kind.rawValue))" }
}
