import PipelineCore
import PipelineJSON

/// Joins JSON reports: the files of all of them, with counts and exit code of the whole.
struct JSONMerge {
    private var reports: [JSONValue] = []

    /// Adds a report of this version.
    ///
    /// - Throws: That it is none.
    mutating func add(_ bytes: [UInt8]) throws(UsageError) {
        let report: JSONValue
        do {
            report = try JSONValue(parsing: bytes)
        } catch {
            throw UsageError("\(error.position): \(error.message)")
        }
        guard report["format"]?.string == JSONReport.format else {
            throw UsageError("this is not a JSON report of pipeline-run")
        }
        guard let version = report["version"]?.number?.int, version == JSONReport.version else {
            throw UsageError("expected a report of version \(JSONReport.version)")
        }
        try Self.check(report)
        reports.append(report)
    }

    /// Refuses a report whose files, requests or codes are not where they belong: joined, it would
    /// tell of less than there was.
    private static func check(_ report: JSONValue) throws(UsageError) {
        guard let code = report["exitCode"]?.number?.int, 0...255 ~= code else {
            throw expected("a number from 0 to 255", report["exitCode"], at: "exitCode")
        }
        guard let files = report["files"], files.kind == .array else {
            throw expected("an array", report["files"], at: "files")
        }
        for (index, file) in files.elements.enumerated() {
            let place = "files[\(index)]"
            guard file.kind == .object else { throw expected("an object", file, at: place) }
            guard let requests = file["requests"], requests.kind == .array else {
                throw expected("an array", file["requests"], at: "\(place).requests")
            }
            for (index, request) in requests.elements.enumerated() {
                try check(request, at: "\(place).requests[\(index)]")
            }
        }
    }

    private static func check(_ request: JSONValue, at place: String) throws(UsageError) {
        guard request.kind == .object else { throw expected("an object", request, at: place) }
        let outcome = request["outcome"]
        guard outcome?.string.flatMap(RequestResult.Outcome.init) != nil else {
            let names = RequestResult.Outcome.allCases.map(\.rawValue).joined(separator: ", ")
            throw expected("one of \(names)", outcome, at: "\(place).outcome")
        }
    }

    private static func expected(
        _ what: String, _ found: JSONValue?, at place: String
    ) -> UsageError {
        // A word says more than that it is a string.
        let found = found.map { $0.string.map { "\"\($0.prefix(40))\"" } ?? $0.kind.described }
        return UsageError("\(place): expected \(what), found \(found ?? "nothing")")
    }

    /// The joined report; reports are taken to be of runs at the same time.
    func text() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginReport()
        let starts = reports.compactMap { $0["startedAt"]?.string }
        writer.member("startedAt", starts.min())
        if let longest = reports.compactMap({ $0["milliseconds"]?.number }).max() {
            writer.name("milliseconds")
            writer.value(longest)
        }
        writer.member("exitCode", Int(exitCode.status))
        writer.member("signal", reports.lazy.compactMap { $0["signal"]?.number?.int }.first)
        writer.member("insecure", reports.contains { $0["insecure"]?.boolean ?? false })
        let outcomes = countedOutcomes
        writer.counts { outcomes[$0.rawValue] ?? 0 }
        writer.name("files")
        writer.beginArray()
        var bytes = writer.bytes
        let files = reports.flatMap { report in report["files"].map { Array($0.elements) } ?? [] }
        for (number, file) in files.enumerated() {
            bytes += (number == 0 ? "\n" : ",\n").utf8
            bytes += Self.file(file, number)
        }
        return bytes + "\n]}\n".utf8
    }

    private var exitCode: ExitCode {
        let codes = reports.compactMap { $0["exitCode"]?.number?.int }
        return codes.reduce(.success) { $0.or(ExitCode(status: Int32(truncatingIfNeeded: $1))) }
    }

    private var countedOutcomes: [String: Int] {
        var counts: [String: Int] = [:]
        for report in reports {
            guard let files = report["files"] else { continue }
            for file in files.elements {
                guard let requests = file["requests"] else { continue }
                for request in requests.elements {
                    counts[request["outcome"]?.string ?? "", default: 0] += 1
                }
            }
        }
        return counts
    }

    /// The file with another number; its requests a line each.
    private static func file(_ file: JSONValue, _ number: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for member in file.members where member.name != "requests" {
            writer.name(member.name)
            if member.name == "number" { writer.value(number) } else { writer.value(member.value) }
        }
        writer.name("requests")
        writer.beginArray()
        var bytes = writer.bytes
        var isFirst = true
        if let requests = file["requests"] {
            for request in requests.elements {
                bytes += (isFirst ? "\n" : ",\n").utf8
                bytes += request.serialized()
                isFirst = false
            }
        }
        return bytes + (isFirst ? "]}" : "\n]}").utf8
    }
}
