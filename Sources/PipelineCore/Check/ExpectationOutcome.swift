/// What became of one expectation of a request.
package struct ExpectationOutcome: Sendable {
    /// What it is about, as messages call it: `the status`, `$.user.id`.
    package let subject: String
    package let isMet: Bool
}

extension RequestDefinition {
    /// What became of each expectation, in the order in which they were looked at; none when there
    /// was no response to be judged.
    ///
    /// Worked out of the findings: whatever none of them is about holds.
    ///
    /// - Parameters:
    ///   - status: That of the response; `nil` when nothing came back.
    ///   - error: Why the request failed; `nil` when it succeeded.
    package func expectationOutcomes(
        status: Int?, error: RequestError?
    ) -> [ExpectationOutcome] {
        guard let status, [nil, .expectation, .capture].contains(error?.code) else { return [] }
        let unmet = (error?.findings ?? []).flatMap { finding in
            finding.otherPlaces + (finding.place.map { [$0] } ?? [])
        }
        let ofStatus = ExpectationOutcome(
            subject: ResponseSource.status.label, isMet: expectations.status.allows(status))
        return [ofStatus]
            + expectations.checks.map { check in
                // An operator, or the matcher within one, stands within the check.
                let isMet = !unmet.contains {
                    check.place.bytes.lowerBound <= $0.bytes.lowerBound
                        && $0.bytes.upperBound <= check.place.bytes.upperBound
                }
                return ExpectationOutcome(subject: check.subject, isMet: isMet)
            }
    }
}

extension Expectations.Check {
    fileprivate var subject: String {
        switch kind {
        case .matcher(let source, _): source.label
        case .schema: "the body, by its schema"
        }
    }
}
