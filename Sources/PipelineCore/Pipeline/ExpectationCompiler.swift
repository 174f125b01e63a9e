import PipelineJSON

/// Compiles the keys of `expect`.
///
/// What has the wrong shape was reported before and is left out.
struct ExpectationCompiler {
    let loader: PipelineLoader

    private var matchers: MatcherCompiler { MatcherCompiler(loader: loader) }

    /// The statuses of a value; the same ones are kept once, since most requests say the same.
    func status(_ value: JSONValue) -> Expectations.Status {
        let place = SourcePlace(value.sourceRange)
        let ranges = loader.statuses[value.sourceText] ?? Self.ranges(value)
        loader.statuses[value.sourceText] = ranges
        return Expectations.Status(ranges: ranges, place: place)
    }

    private static func ranges(_ value: JSONValue) -> [StatusRange] {
        let values = value.kind == .array ? Array(value.elements) : [value]
        return values.compactMap { value in
            value.number?.int.map { StatusRange(codes: $0...$0) }
                ?? value.string.flatMap(StatusRange.init(parsing:))
        }
    }

    /// Takes over the keys of an expectation; each replaces the one that was there.
    func apply(_ value: JSONValue, to expectations: inout Expectations) {
        for member in value.members {
            if member.name == "status" {
                expectations.status = status(member.value)
            } else {
                expectations.checks.removeAll { $0.key == member.name }
                expectations.checks += checks(member)
            }
        }
    }

    /// The checks of one key.
    func checks(_ member: JSONValue.Member) -> [Expectations.Check] {
        let key = member.name
        let value = member.value
        switch key {
        case "headers":
            return value.members.map { check(key, .header($0.name), $0.value) }
        case "cookies": return value.members.flatMap { cookie(key, $0.name, $0.value) }
        case "json":
            return value.members.compactMap { entry in
                loader.path(entry.name, at: entry.nameRange)
                    .map { check(key, .json($0), entry.value) }
            }
        case "text": return [check(key, .text, value)]
        case "bytes": return value.members.compactMap { bytes(key, $0) }
        case "schema": return loader.schema(value).map { [check(key, .schema($0), value)] } ?? []
        case "duration":
            let matcher = matchers.durationMatcher(value)
            return [check(key, .matcher(.duration, matcher), value)]
        case "url": return [check(key, .url, value)]
        case "httpVersion": return [check(key, .httpVersion, value)]
        case "redirects":
            return [check(key, value.kind == .number ? .redirectCount : .redirects, value)]
        case "certificate": return value.members.compactMap { certificate(key, $0) }
        default: return []
        }
    }

    private func bytes(_ key: String, _ member: JSONValue.Member) -> Expectations.Check? {
        switch member.name {
        case "length": check(key, .size, member.value)
        case "sha256": check(key, .sha256, member.value)
        case "md5": check(key, .md5, member.value)
        default: nil
        }
    }

    private func certificate(
        _ key: String, _ member: JSONValue.Member
    ) -> Expectations.Check? {
        guard let part = ResponseSource.CertificatePart(rawValue: member.name) else { return nil }
        let matcher =
            part == .expiresIn
            ? matchers.durationMatcher(member.value) : matchers.matcher(member.value)
        return check(key, .matcher(.certificate(part), matcher), member.value)
    }

    /// The operators are about the value of the cookie, the other keys about its attributes.
    private func cookie(
        _ key: String, _ name: String, _ value: JSONValue
    ) -> [Expectations.Check] {
        guard value.kind == .object else { return [check(key, .cookie(name, nil), value)] }
        var checks: [Expectations.Check] = []
        for member in value.members {
            guard let attribute = ResponseSource.CookieAttribute(rawValue: member.name) else {
                continue
            }
            checks.append(check(key, .cookie(name, attribute), member.value))
        }
        let matcher = matchers.matcher(value)
        if !matcher.operations.isEmpty {
            checks.insert(check(key, .matcher(.cookie(name, nil), matcher), value), at: 0)
        }
        return checks
    }

    private func check(
        _ key: String, _ source: ResponseSource, _ value: JSONValue
    ) -> Expectations.Check {
        check(key, .matcher(source, matchers.matcher(value)), value)
    }

    private func check(
        _ key: String, _ kind: Expectations.Check.Kind, _ value: JSONValue
    ) -> Expectations.Check {
        Expectations.Check(key: key, kind: kind, place: SourcePlace(value.sourceRange))
    }
}
