/// Joins JUnit reports: their suites stay as they are, but for their counts and numbers.
struct JUnitMerge {
    private var suites: [UInt8] = []
    private var count = 0
    private var totals = JUnitCounts()
    private var thousandths = 0

    /// Adds the suites of a report, whose root is `<testsuites>` or one `<testsuite>`.
    mutating func add(_ bytes: [UInt8]) throws(XMLScanner.Failure) {
        var scanner = try XMLScanner(bytes)
        var depth = 0
        var namespaces: [XMLScanner.Attribute] = []
        while let token = try scanner.next() {
            switch token {
            case .start("testsuites", let attributes, let isEmpty) where depth == 0:
                // Declared for each suite instead: those of another report may differ.
                namespaces = attributes.filter(\.isNamespace)
                if !isEmpty { depth += 1 }
            case .start("testsuite", let attributes, let isEmpty):
                let inherited = namespaces.filter { namespace in
                    !attributes.contains { $0.name == namespace.name }
                }
                try addSuite(attributes + inherited, isEmpty: isEmpty, from: &scanner, in: bytes)
            case .start(let name, _, _):
                throw scanner.failure(
                    "expected <testsuite>, found <\(name)>: this is not a JUnit report")
            case .end: depth -= 1
            case .other: break
            }
        }
    }

    /// The joined report.
    func text() -> [UInt8] {
        var text = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites".utf8)
        XMLText.attribute("name", "pipeline-run", to: &text)
        totals.attributes(hasSkipped: false, to: &text)
        XMLText.attribute("time", Duration.milliseconds(thousandths).inSeconds, to: &text)
        return text + ">\n".utf8 + suites + "</testsuites>\n".utf8
    }

    private mutating func addSuite(
        _ attributes: [XMLScanner.Attribute], isEmpty: Bool, from scanner: inout XMLScanner,
        in bytes: [UInt8]
    ) throws(XMLScanner.Failure) {
        let start = scanner.position
        var counter = JUnitCounter()
        if !isEmpty {
            while counter.isInside, let token = try scanner.next() { counter.take(token) }
        }
        write(attributes, counter.own)
        if isEmpty {
            suites += "></testsuite>\n".utf8
        } else {
            suites += ">".utf8 + bytes[start..<scanner.position] + "\n".utf8
        }
        totals += counter.all
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

extension XMLScanner.Attribute {
    /// Whether it declares a namespace (Namespaces in XML 1.0, section 3).
    fileprivate var isNamespace: Bool { name == "xmlns" || name.hasPrefix("xmlns:") }
}

/// Counts the test cases of a suite whose beginning was read, whatever the suite says of them.
private struct JUnitCounter {
    /// Those that belong to the suite itself.
    private(set) var own = JUnitCounts()
    /// Those of suites within it, too.
    private(set) var all = JUnitCounts()
    /// The elements that are open.
    private var path = ["testsuite"]
    /// The elements that were found right in the test case that is open.
    private var found: Set<String> = []

    /// Whether the suite has not ended.
    var isInside: Bool { !path.isEmpty }

    private var isInCase: Bool { path.suffix(2) == ["testsuite", "testcase"] }

    mutating func take(_ token: XMLScanner.Token) {
        switch token {
        case .start(let name, _, let isEmpty):
            if isInCase { found.insert(name) }
            path.append(name)
            if isEmpty { end() }
        case .end: end()
        case .other: break
        }
    }

    private mutating func end() {
        if isInCase {
            let count = JUnitCounts(caseWith: found)
            found = []
            all += count
            if path.count == 2 { own += count }
        }
        path.removeLast()
    }
}

extension JUnitCounts {
    /// One test case with these elements; the most serious one is what became of it.
    fileprivate init(caseWith elements: Set<String>) {
        tests = 1
        if elements.contains("error") {
            errors = 1
        } else if elements.contains("failure") {
            failures = 1
        } else if elements.contains("skipped") {
            skipped = 1
        }
    }
}
