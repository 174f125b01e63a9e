import PipelineCore
import PipelineJSON
import Testing

/// An HTTP Archive, checked against what version 1.2 says: every member that is not optional is
/// there and of its type, none is made up, and times add up.
struct HARDocument {
    let pages: [JSONValue]
    let entries: [JSONValue]

    init(_ bytes: [UInt8]) throws {
        let archive = try JSONValue(parsing: bytes)
        let log = try #require(archive["log"])
        Self.expect(archive, ["log": .object])
        Self.expect(
            log, ["version": .string, "creator": .object, "entries": .array, "pages": .array])
        #expect(log["version"]?.string == "1.2")
        Self.expect(
            try #require(log["creator"]), ["name": .string, "version": .string])
        pages = Array(try #require(log["pages"]).elements)
        entries = Array(try #require(log["entries"]).elements)
        for page in pages {
            Self.expect(
                page,
                ["startedDateTime": .date, "id": .string, "title": .string, "pageTimings": .object])
            Self.expect(
                try #require(page["pageTimings"]), ["onContentLoad": .time, "onLoad": .time])
        }
        let identifiers = pages.map { $0["id"]?.string }
        #expect(Set(identifiers).count == pages.count)
        for entry in entries {
            #expect(identifiers.contains(entry["pageref"]?.string))
            try Self.check(entry)
        }
    }

    private enum Kind {
        case string, number, boolean, array, object, date, time
    }

    private static func check(_ entry: JSONValue) throws {
        expect(
            entry,
            [
                "startedDateTime": .date, "time": .number, "request": .object,
                "response": .object, "cache": .object, "timings": .object,
            ],
            optional: ["pageref": .string, "serverIPAddress": .string, "connection": .string])
        #expect(entry["cache"]?.count == 0)

        let request = try #require(entry["request"])
        expect(
            request,
            [
                "method": .string, "url": .string, "httpVersion": .string, "cookies": .array,
                "headers": .array, "queryString": .array, "headersSize": .number,
                "bodySize": .number,
            ], optional: ["postData": .object])
        if let data = request["postData"] {
            expect(data, ["mimeType": .string, "params": .array, "text": .string])
        }
        let response = try #require(entry["response"])
        expect(
            response,
            [
                "status": .number, "statusText": .string, "httpVersion": .string,
                "cookies": .array, "headers": .array, "content": .object,
                "redirectURL": .string, "headersSize": .number, "bodySize": .number,
            ], optional: ["_error": .string])
        expect(
            try #require(response["content"]), ["size": .number, "mimeType": .string],
            optional: ["compression": .number, "text": .string, "encoding": .string])
        for list in [request["headers"], request["queryString"], response["headers"]] {
            for pair in try #require(list).elements {
                expect(pair, ["name": .string, "value": .string])
            }
        }
        for list in [request["cookies"], response["cookies"]] {
            for cookie in try #require(list).elements {
                expect(
                    cookie, ["name": .string, "value": .string],
                    optional: [
                        "path": .string, "domain": .string, "expires": .date,
                        "httpOnly": .boolean, "secure": .boolean,
                    ])
            }
        }
        try checkSizes(request, response)
        try checkTimes(entry)
    }

    /// Sizes that are not known are -1; what was sent and what came is there when it has a size.
    private static func checkSizes(_ request: JSONValue, _ response: JSONValue) throws {
        func number(_ object: JSONValue, _ name: String) -> Int {
            object[name]?.number?.int ?? .min
        }
        for message in [request, response] {
            #expect(number(message, "headersSize") >= -1)
            #expect(number(message, "bodySize") >= -1)
        }
        #expect(request["postData"] != nil || number(request, "bodySize") == 0)
        let hasQuery = try #require(request["url"]?.string).contains("?")
        #expect(hasQuery || request["queryString"]?.count == 0)
        // A response that never came has no status, no size and no fields.
        if number(response, "status") == 0 {
            #expect(number(response, "bodySize") == -1)
            #expect(response["headers"]?.count == 0)
            #expect(response["_error"]?.string != nil)
        } else {
            #expect(response["_error"] == nil)
        }
        let content = try #require(response["content"])
        #expect(number(content, "size") >= 0)
        #expect(content["encoding"] == nil || content["encoding"]?.string == "base64")
        #expect(content["encoding"] == nil || content["text"] != nil)
    }

    /// The parts are those of the whole; TLS is a part of connecting.
    private static func checkTimes(_ entry: JSONValue) throws {
        let timings = try #require(entry["timings"])
        expect(
            timings, ["send": .number, "wait": .number, "receive": .number],
            optional: ["blocked": .time, "dns": .time, "connect": .time, "ssl": .time])
        func time(_ name: String) -> Double { timings[name]?.number?.double ?? -1 }
        for name in ["send", "wait", "receive"] { #expect(time(name) >= 0, "\(name)") }
        let parts = ["blocked", "dns", "connect", "send", "wait", "receive"]
        let sum = parts.reduce(0) { $0 + max(0, time($1)) }
        let total = try #require(entry["time"]?.number?.double)
        #expect(abs(sum - total) < 0.000_5, "\(timings)")
        #expect(time("ssl") <= max(time("connect"), -1))
    }

    /// Every object may have a comment.
    private static func expect(
        _ object: JSONValue, _ required: [String: Kind], optional: [String: Kind] = [:]
    ) {
        var allowed = required.merging(optional) { first, _ in first }
        allowed["comment"] = .string
        for name in required.keys where object[name] == nil {
            Issue.record("\(name) is missing in \(object)")
        }
        for member in object.members {
            guard let kind = allowed[member.name] else {
                Issue.record("\(member.name) is not a member of version 1.2")
                continue
            }
            #expect(isValid(member.value, kind), "\(member.name): \(member.value)")
        }
    }

    private static func isValid(_ value: JSONValue, _ kind: Kind) -> Bool {
        switch kind {
        case .string: value.string != nil
        case .number: value.number != nil
        case .boolean: value.boolean != nil
        case .array: value.kind == .array
        case .object: value.kind == .object
        case .date: value.string.flatMap { Moment(rfc3339: $0) } != nil
        // -1 is what does not apply.
        case .time: value.number.map { $0.double == -1 || $0.double >= 0 } ?? false
        }
    }
}
