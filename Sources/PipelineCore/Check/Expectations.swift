import PipelineJSON

/// What the response of one request must be, compiled when the file is loaded.
struct Expectations: Sendable {
    var status = Status()
    var checks: [Check] = []

    /// The statuses that are right.
    struct Status: Sendable {
        var ranges: [StatusRange] = [.success]
        /// Where the file says so; `nil` for the default.
        var place: SourcePlace?

        /// Whether a status is one of them.
        func allows(_ status: Int) -> Bool { ranges.contains { $0.codes.contains(status) } }

        fileprivate func finding(_ view: ResponseView, fallback: SourcePlace) -> Finding? {
            let status = view.response.status
            guard !allows(status) else { return nil }
            let expected = ranges.map(\.description).joined(separator: " or ")
            // Whoever asks for a redirect did not want it to be followed.
            let wantsRedirect =
                !view.redirects.isEmpty && ranges.contains { $0.codes.overlaps(300...399) }
            return Finding(
                "expected status \(expected), got \(HTTPStatus.described(status))"
                    + (wantsRedirect
                        ? " after a redirect was followed; \"redirects\": 0 follows none" : ""),
                at: place ?? fallback,
                comparison: Finding.Comparison(
                    subject: ResponseSource.status.label, requirement: "to be \(expected)",
                    expected: Int(expected).map { JSONValue($0) } ?? JSONValue(expected),
                    actual: [JSONValue(status)]))
        }
    }

    /// One part of the response and what it must be.
    struct Check: Sendable {
        /// The key of `expect` that it belongs to: a request that writes the key replaces it.
        let key: String
        let kind: Kind
        let place: SourcePlace

        enum Kind: Sendable {
            case matcher(ResponseSource, Matcher)
            case schema(JSONSchema)
        }
    }

    /// The placeholders of all checks.
    var placeholders: [Template.Placeholder] {
        checks.flatMap { check -> [Template.Placeholder] in
            guard case .matcher(_, let matcher) = check.kind else { return [] }
            return matcher.placeholders
        }
    }

    /// Whether any check looks at the server's certificate.
    var wantCertificate: Bool {
        checks.contains { check in
            guard case .matcher(let source, _) = check.kind else { return false }
            return source.isCertificate
        }
    }

    /// Everything that does not hold, in the order of the file.
    func findings(
        _ view: ResponseView, _ values: VariableValues, fallback: SourcePlace
    ) throws(TemplateError) -> [Finding] {
        var findings: [Finding] = []
        if let finding = status.finding(view, fallback: fallback) {
            findings.append(finding)
        }
        var failures: [String: Int] = [:]
        for check in checks {
            switch try check.findings(view, values) {
            case .success(let found): findings += found
            case .failure(let failure):
                // A body that is not JSON is told once, not for each path.
                if let known = failures[failure.message] {
                    findings[known].otherPlaces.append(check.place)
                } else {
                    failures[failure.message] = findings.count
                    findings.append(Finding(failure.message, at: check.place))
                }
            }
        }
        return findings
    }
}

extension Expectations.Check {
    /// What does not hold, or why nothing could be looked at.
    fileprivate func findings(
        _ view: ResponseView, _ values: VariableValues
    ) throws(TemplateError) -> Result<[Finding], SourceFailure> {
        do {
            switch kind {
            case .schema(let schema):
                return .success(
                    schema.validate(try view.jsonBody(), limit: 20).map {
                        $0.finding(at: place)
                    })
            case .matcher(let source, let matcher):
                let nodes = try source.nodes(view)
                if case .header = source, nodes.values.count > 1 {
                    return .success(try anyLine(nodes, matcher, values))
                }
                return .success(try matcher.findings(nodes, values))
            }
        } catch let error as SourceFailure {
            return .failure(error)
        } catch let error as TemplateError {
            throw error
        } catch {
            return .failure(SourceFailure("\(error)"))
        }
    }

    /// A header that is repeated is right when one of its lines is.
    private func anyLine(
        _ nodes: Nodes, _ matcher: Matcher, _ values: VariableValues
    ) throws(TemplateError) -> [Finding] {
        for value in nodes.values {
            let line = Nodes(label: nodes.label, values: [value], isSingular: true)
            if try matcher.holds(line, values) { return [] }
        }
        return try matcher.findings(nodes, values)
    }
}

extension JSONSchemaFinding {
    /// Both places and the message; of the schema's URI, what comes after the last slash.
    fileprivate func finding(at place: SourcePlace) -> Finding {
        // As a JSONPath, like everywhere else, and with names as they are: secrets are masked so.
        let steps = instanceLocation.split(separator: "/", omittingEmptySubsequences: false)
        let instance = steps.dropFirst().reduce(into: "$") { path, step in
            let name = String(step.replacing("~1", with: "/").replacing("~0", with: "~"))
            path +=
                name.utf8.allSatisfy(\.isASCIIDigit) && !name.isEmpty
                ? "[\(name)]" : PathStep.member(name)
        }
        let fragment = schemaLocation.utf8.firstIndex(of: UInt8(ascii: "#"))
        let resource = schemaLocation[..<(fragment ?? schemaLocation.endIndex)]
        let start = resource.utf8.lastIndex(of: UInt8(ascii: "/")).map {
            resource.utf8.index(after: $0)
        }
        let keyword = schemaLocation[(start ?? schemaLocation.startIndex)...]
        return Finding(
            "\(instance): \(message) (schema \(keyword))", at: place,
            comparison: Finding.Comparison(
                subject: instance, requirement: "to be as the schema says at \(keyword)",
                expected: nil, actual: [self.instance]))
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
