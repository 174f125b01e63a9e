import PipelineCore

// What one exchange of a request sent, what came back, and when.
extension HTMLWriter {
    mutating func exchange(
        _ exchange: ReportedExchange, in attempt: ReportedAttempt, length: Duration, isOpen: Bool
    ) {
        markup("<div class=\"x\">\n")
        text(exchange.method, in: "<p class=\"x1\"><b>", "</b> ")
        text(exchange.url, in: "<bdi>", "</bdi>")
        if let response = exchange.response {
            text(HTTPStatus.described(response.status), in: " <span>→ ", ", HTTP/")
            text(response.version)
            markup("</span>")
        } else {
            markup(" <span>→ no response</span>")
        }
        markup("</p>\n")
        number(
            max(1, Int(length.wholeMicroseconds)), in: "<svg class=\"v\" viewBox=\"0 0 ",
            " 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">")
        bars(exchange, in: attempt, from: exchange.offset)
        markup("</svg>\n")
        times(of: exchange)
        message(exchange.request, of: "Request", isOpen: false)
        if let response = exchange.response {
            message(response.message, of: "Response", isOpen: isOpen)
        }
        markup("</div>\n")
    }

    /// A bar for each part of an exchange that took time, in microseconds.
    mutating func bars(
        _ exchange: ReportedExchange, in attempt: ReportedAttempt, from start: Duration
    ) {
        var x = Int(start.wholeMicroseconds)
        func bar(_ phase: HTMLPhase, _ width: Int64) {
            guard width > 0 else { return }
            markup("<rect class=\"")
            markup(phase.htmlClass)
            number(x, in: "\" x=\"", "\" width=\"")
            number(Int(width), in: "", "\" height=\"10\"/>")
            x += Int(width)
        }
        guard let metrics = exchange.metrics else {
            return bar(.incomplete, HARTimings(exchange, in: attempt).wait)
        }
        let phases = ReportedPhases(metrics.timings)
        let isReused = metrics.isConnectionReused
        for phase in HTMLPhase.allCases {
            bar(phase, phase.duration(in: phases, isReused: isReused))
        }
    }

    private mutating func times(of exchange: ReportedExchange) {
        guard let metrics = exchange.metrics else {
            markup("<p class=\"times\">not completed</p>\n")
            return
        }
        let phases = ReportedPhases(metrics.timings)
        markup("<p class=\"times\">")
        let isReused = metrics.isConnectionReused
        for phase in HTMLPhase.allCases
        where phase != .incomplete && phase.isPart(ofReused: isReused)
            && !(phase == .tls && phases.tls == 0)
        {
            markup(phase.title)
            markup(" ")
            time(Int(phase.duration(in: phases, isReused: isReused)))
            markup(" · ")
        }
        markup("total ")
        time(Int(phases.total))
        if !metrics.remoteAddress.isEmpty {
            text(metrics.remoteAddress, in: " · ", " port ")
            number(metrics.remotePort)
            if isReused { markup(" (kept-alive connection)") }
        }
        if let use = metrics.cacheUse { text(use.rawValue, in: " · cache: ", "") }
        markup("</p>\n")
        guard let certificate = metrics.certificate else { return }
        text(
            "certificate: \(certificate.subject), issued by \(certificate.issuer)"
                + ", expires \(certificate.expires)",
            in: "<p class=\"times\">", "</p>\n")
    }

    private mutating func message(
        _ message: ReportedMessage, of side: StaticString, isOpen: Bool
    ) {
        guard !message.fields.isEmpty || message.body != nil else { return }
        beginFold(isOpen: isOpen)
        markup(side)
        number(message.fields.count, in: ": ", message.fields.count == 1 ? " field" : " fields")
        if let body = message.body { text(ByteSize(body.size).shown, in: ", body of ", "") }
        markup("</summary>\n")
        if !message.fields.isEmpty {
            markup("<table>\n")
            for field in message.fields {
                text(field.name, in: "<tr><th scope=\"row\">", "</th>")
                text(field.value, in: "<td><bdi>", "</bdi></td></tr>\n")
            }
            markup("</table>\n")
        }
        if let body = message.body { self.body(body) }
        markup("</details>\n")
    }

    private mutating func body(_ body: ReportedBody) {
        if body.text != nil {
            let shown = body.isCut ? nil : JSONIndentation.of(body.bytes)
            preformatted(shown ?? body.bytes, class: "body")
        } else if body.size > 0 {
            text(body.mediaType ?? "binary data", in: "<p class=\"place\">", "</p>\n")
        }
        if body.isCut {
            text(
                "the first \(ByteSize(body.bytes.count).shown) of \(ByteSize(body.size).shown)",
                in: "<p class=\"place\">", "</p>\n")
        }
        if let path = body.savedTo {
            text("saved to \(path)", in: "<p class=\"place\">", "</p>\n")
        }
    }
}

/// A part of an exchange that has its own colour.
enum HTMLPhase: CaseIterable, Sendable {
    /// What it took to find the kept-alive connection.
    case queued
    case dns, connect, tls, send, wait, receive
    /// All of an exchange that was not completed.
    case incomplete

    var title: StaticString {
        switch self {
        case .queued: "queued"
        case .dns: "DNS"
        case .connect: "connect"
        case .tls: "TLS"
        case .send: "send"
        case .wait: "wait"
        case .receive: "download"
        case .incomplete: "not completed"
        }
    }

    var htmlClass: StaticString {
        switch self {
        case .queued: "pq"
        case .dns: "pd"
        case .connect: "pc"
        case .tls: "pt"
        case .send: "ps"
        case .wait: "pw"
        case .receive: "pr"
        case .incomplete: "pi"
        }
    }

    /// Whether it happens on a connection that was kept, or on a new one.
    func isPart(ofReused isReused: Bool) -> Bool {
        switch self {
        case .queued: isReused
        case .dns, .connect, .tls: !isReused
        case .send, .wait, .receive, .incomplete: true
        }
    }

    /// In microseconds.
    func duration(in phases: ReportedPhases, isReused: Bool) -> Int64 {
        guard isPart(ofReused: isReused) else { return 0 }
        return switch self {
        case .queued: phases.dns + phases.connect + phases.tls
        case .dns: phases.dns
        case .connect: phases.connect
        case .tls: phases.tls
        case .send: phases.send
        case .wait: phases.wait
        case .receive: phases.receive
        case .incomplete: 0
        }
    }
}
