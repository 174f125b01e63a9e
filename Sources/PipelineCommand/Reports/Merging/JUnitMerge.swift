/// Joins JUnit reports: their suites stay as they are, but for their counts and numbers.
struct JUnitMerge {
    private var suites: [UInt8] = []
    private var count = 0
    private var totals: [JUnitCounts] = []
    private var thousandths = 0

    /// Adds the suites of a report, whose root is `<testsuites>` or one `<testsuite>`.
    mutating func add(_ bytes: [UInt8]) throws(XMLScanner.Failure) {
        var scanner = try XMLScanner(bytes)
        var depth = 0
        while let token = try scanner.next() {
            switch token {
            case .start("testsuites", _, let isEmpty) where depth == 0:
                if !isEmpty { depth += 1 }
            case .start("testsuite", let attributes, let isEmpty):
                try addSuite(attributes, isEmpty: isEmpty, from: &scanner, in: bytes)
            case .start(let name, _, _):
                throw XMLScanner.Failure(
                    message: "expected <testsuite>, found <\(name)>: this is not a JUnit report",
                    line: 1)
            case .end: depth -= 1
            case .other: break
            }
        }
    }

    /// The joined report.
    func text() -> [UInt8] {
        var text = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites".utf8)
        XMLText.attribute("name", "pipeline-run", to: &text)
        JUnitCounts(sum: totals).attributes(hasSkipped: false, to: &text)
        XMLText.attribute("time", Duration.milliseconds(thousandths).inSeconds, to: &text)
        return text + ">\n".utf8 + suites + "</testsuites>\n".utf8
    }

    private mutating func addSuite(
        _ attributes: [XMLScanner.Attribute], isEmpty: Bool, from scanner: inout XMLScanner,
        in bytes: [UInt8]
    ) throws(XMLScanner.Failure) {
        let start = scanner.position
        var counts = JUnitCounts()
        var depth = isEmpty ? 0 : 1
        while depth > 0, let token = try scanner.next() {
            switch token {
            case .start(let name, _, let isEmpty):
                counts.add(name)
                if !isEmpty { depth += 1 }
            case .end: depth -= 1
            case .other: break
            }
        }
        write(attributes, counts)
        if isEmpty {
            suites += "></testsuite>\n".utf8
        } else {
            suites += ">".utf8 + bytes[start..<scanner.position] + "\n".utf8
        }
        totals.append(counts)
        count += 1
    }

    /// Writes the beginning of a suite, with what was counted instead of what it says.
    private mutating func write(_ attributes: [XMLScanner.Attribute], _ counts: JUnitCounts) {
        let counted = [
            "id": count, "tests": counts.tests, "failures": counts.failures,
            "errors": counts.errors, "skipped": counts.skipped,
        ]
        suites += "  <testsuite".utf8
        for attribute in attributes where counted[attribute.name] == nil {
            // Escaped already.
            suites += " \(attribute.name)=\"\(attribute.value)\"".utf8
            guard attribute.name == "time", let time = Double(attribute.value), time.isFinite,
                0...1e9 ~= time
            else { continue }
            thousandths += Int((time * 1_000).rounded())
        }
        XMLText.attribute("id", "\(count)", to: &suites)
        counts.attributes(hasSkipped: true, to: &suites)
    }
}

extension JUnitCounts {
    /// Counts an element of that name.
    fileprivate mutating func add(_ element: String) {
        switch element {
        case "testcase": tests += 1
        case "failure": failures += 1
        case "error": errors += 1
        case "skipped": skipped += 1
        default: break
        }
    }
}
