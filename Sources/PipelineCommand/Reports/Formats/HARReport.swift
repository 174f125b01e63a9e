import PipelineCore
import PipelineJSON

/// An HTTP Archive, version 1.2 (http://www.softwareishard.com/blog/har-12-spec/), which browsers'
/// developer tools open: a page for each file, an entry for each exchange.
///
/// Every member that is not optional is there; what is not known has the value that the
/// specification names for that. What a request is called and which attempt it was stands in the
/// entry's `comment`; what was never sent has no entry.
struct HARReport: ReportFormat {
    let itemSeparator = ",\n"
    let sectionSeparator = ",\n"

    func section(of file: ReportedFile) -> any ReportSection { HARSection(file: file) }

    func beginning(of run: ReportedRun) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.plainName("log")
        writer.beginObject()
        writer.member("version", "1.2")
        writer.program("creator")
        writer.array("pages", run.files) { writer, summary in
            writer.object { $0.page(summary) }
        }
        writer.plainName("entries")
        writer.beginArray()
        return writer.bytes + Array("\n".utf8)
    }

    func end(of run: ReportedRun) -> [UInt8] { Array("\n]}}\n".utf8) }

    /// What entries call the page of a file.
    static func pageID(_ file: ReportedFile) -> String { "file_\(file.number)" }
}

private struct HARSection: ReportSection {
    let file: ReportedFile
    private var timeText = TimeText()

    init(file: ReportedFile) {
        self.file = file
    }

    mutating func write(_ request: ReportedRequest, to text: inout [UInt8]) {
        guard let startedAt = request.startedAt else { return }
        var isFirst = true
        for attempt in request.attempts {
            for (index, exchange) in attempt.exchanges.enumerated() {
                if !isFirst { text += ",\n".utf8 }
                isFirst = false
                let before = text
                text = []
                var writer = JSONWriter(following: consume before)
                let isLast = index == attempt.exchanges.count - 1
                writer.object { writer in
                    writer.member("pageref", HARReport.pageID(file))
                    let time = timeText(startedAt.advanced(by: exchange.offset))
                    writer.member("startedDateTime", time)
                    writer.members(
                        of: exchange, timings: HARTimings(exchange, in: attempt),
                        error: isLast ? attempt.error : nil)
                    let comment = comment(
                        request, attempt, hop: index, error: isLast ? attempt.error : nil)
                    writer.member("comment", comment)
                }
                text = writer.finished()
            }
        }
    }

    mutating func frame(_ summary: ReportedSummary, hasItems: Bool) -> ReportFrame { ReportFrame() }

    private func comment(
        _ request: ReportedRequest, _ attempt: ReportedAttempt, hop: Int, error: String?
    ) -> String {
        var parts = [request.name]
        if request.attemptCount > 1 { parts.append("attempt \(attempt.number)") }
        if hop > 0 { parts.append("redirect \(hop)") }
        if let error { parts.append(error) }
        return parts.joined(separator: " · ")
    }
}

extension JSONWriter {
    fileprivate mutating func page(_ summary: ReportedSummary) {
        member("startedDateTime", summary.file.startedAt.description)
        member("id", HARReport.pageID(summary.file))
        member("title", summary.file.title)
        object("pageTimings") { writer in
            writer.member("onContentLoad", -1)
            writer.member("onLoad", summary.duration)
        }
        let problem: String? =
            switch summary.ending {
            case .ran(nil): nil
            case .ran(let interruption?): interruption.rawValue
            case .invalid(let findings): findings.first.map { "not valid: \($0.message)" }
            case .notStarted(let reason): reason
            }
        member("comment", summary.file.name + (problem.map { " · \($0)" } ?? ""))
    }

    /// An exchange, in the object of an entry that is open.
    fileprivate mutating func members(
        of exchange: ReportedExchange, timings: HARTimings, error: String?
    ) {
        member("time", microseconds: timings.total)
        object("request") { $0.request(exchange) }
        object("response") { $0.response(exchange, error: error) }
        object("cache") { _ in }
        object("timings") { $0.members(of: timings) }
        guard let metrics = exchange.metrics, !metrics.remoteAddress.isEmpty else { return }
        member("serverIPAddress", metrics.remoteAddress)
        // A number for the connection, or the port of its server.
        member("connection", String(metrics.remotePort))
    }

    private mutating func request(_ exchange: ReportedExchange) {
        member("method", exchange.method)
        member("url", exchange.url)
        member("httpVersion", exchange.response.map { "HTTP/\($0.version)" } ?? "unknown")
        array("cookies", HARPairs.cookies(exchange.request.fields)) { $0.pair($1) }
        array("headers", exchange.request.fields) { $0.pair(($1.name, $1.value)) }
        array("queryString", HARPairs.query(exchange.url)) { $0.pair($1) }
        if let body = exchange.request.body {
            object("postData") { $0.postData(body) }
        }
        member("headersSize", -1)
        member("bodySize", exchange.request.body?.size ?? 0)
    }

    private mutating func postData(_ body: ReportedBody) {
        member("mimeType", body.mediaType ?? "")
        member("params", [])
        if let text = body.text {
            member("text", text)
        } else {
            // There is no member that would say so to a program.
            member("text", Base64.encode(body.bytes))
        }
        member("comment", body.harComment(encoded: body.text == nil))
    }

    private mutating func response(_ exchange: ReportedExchange, error: String?) {
        let response = exchange.response
        let fields = response?.message.fields ?? [:]
        member("status", response?.status ?? 0)
        member("statusText", response?.reason ?? "")
        member("httpVersion", response.map { "HTTP/\($0.version)" } ?? "unknown")
        array("cookies", HARPairs.setCookies(fields)) { $0.cookie($1) }
        array("headers", fields) { $0.pair(($1.name, $1.value)) }
        object("content") { $0.content(exchange) }
        member("redirectURL", fields["Location"] ?? "")
        member("headersSize", -1)
        member("bodySize", response == nil ? -1 : exchange.metrics?.wireBodySize ?? -1)
        // What Chromium calls it.
        if response == nil { member("_error", error) }
    }

    private mutating func content(_ exchange: ReportedExchange) {
        let body = exchange.response?.message.body
        let size = body?.size ?? exchange.metrics?.decodedBodySize ?? 0
        member("size", size)
        if let metrics = exchange.metrics, metrics.wireBodySize < size {
            member("compression", size - metrics.wireBodySize)
        }
        member("mimeType", exchange.response?.message.fields["Content-Type"] ?? "")
        guard let body else {
            if size > 0 { member("comment", "its bytes were not kept") }
            return
        }
        if let text = body.text {
            member("text", text)
        } else {
            member("text", Base64.encode(body.bytes))
            member("encoding", "base64")
        }
        member("comment", body.harComment(encoded: false))
    }

    private mutating func pair(_ pair: (name: String, value: String)) {
        object { writer in
            writer.member("name", pair.name)
            writer.member("value", pair.value)
        }
    }

    private mutating func cookie(_ cookie: SetCookie) {
        object { writer in
            writer.member("name", cookie.name)
            writer.member("value", cookie.value)
            writer.member("path", cookie.attribute("path"))
            writer.member("domain", cookie.attribute("domain"))
            writer.member("expires", cookie.attribute("expires").flatMap(HARPairs.time))
            writer.member("httpOnly", cookie.attribute("httponly") != nil)
            writer.member("secure", cookie.attribute("secure") != nil)
        }
    }

    private mutating func members(of timings: HARTimings) {
        member("blocked", timings.blocked, orElse: -1)
        member("dns", timings.dns, orElse: -1)
        member("connect", timings.connect, orElse: -1)
        member("ssl", timings.ssl, orElse: -1)
        member("send", microseconds: timings.send)
        member("wait", microseconds: timings.wait)
        member("receive", microseconds: timings.receive)
        member("comment", timings.comment)
    }

    private mutating func member(_ name: StaticString, _ value: Int64?, orElse number: Int) {
        if let value { member(name, microseconds: value) } else { member(name, number) }
    }
}

extension ReportedBody {
    /// What is to be known about the text; `nil` when that is the whole body.
    fileprivate func harComment(encoded: Bool) -> String? {
        var parts: [String] = []
        if encoded { parts.append("Base64") }
        if isCut { parts.append("the first \(bytes.count) of \(size) bytes") }
        if let savedTo { parts.append("saved to \(savedTo)") }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
