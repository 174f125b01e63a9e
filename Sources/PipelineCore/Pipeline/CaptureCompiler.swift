import PipelineJSON

/// Compiles `captures`.
///
/// What has the wrong shape was reported before and is left out.
struct CaptureCompiler {
    let loader: PipelineLoader

    func capture(_ member: JSONValue.Member) -> Capture? {
        let value = member.value
        guard let source = value.kind == .string ? path(value) : source(value),
            let slot = loader.variables.slot(of: member.name)
        else { return nil }
        return Capture(
            name: member.name, slot: slot, source: source,
            pattern: value["regex"].flatMap { loader.pattern($0) },
            steps: (value["then"]?.elements ?? .none).compactMap { step($0) },
            defaultValue: value["default"].map { loader.jsonTemplate($0) },
            isSecret: value["secret"]?.boolean ?? false, place: SourcePlace(value.sourceRange))
    }

    private func path(_ value: JSONValue) -> ResponseSource? {
        value.string.flatMap { loader.path($0, at: value.sourceRange) }.map { .json($0) }
    }

    private func source(_ value: JSONValue) -> ResponseSource? {
        if let attribute = value["attribute"], value["cookie"] == nil {
            loader.report("\"attribute\" needs \"cookie\" beside it", attribute.sourceRange)
        }
        for member in value.members {
            switch member.name {
            case "json": return path(member.value)
            case "header": return member.value.string.map { .header($0) }
            case "cookie":
                let attribute = value["attribute"]?.string
                    .flatMap(ResponseSource.CookieAttribute.init)
                return member.value.string.map { .cookie($0, attribute) }
            case "text": return .text
            case "status": return .status
            case "url": return .url
            case "duration": return .duration
            case "sha256": return .sha256
            case "certificate":
                return member.value.string.flatMap(ResponseSource.CertificatePart.init)
                    .map { .certificate($0) }
            default: continue
            }
        }
        return nil
    }

    private func step(_ value: JSONValue) -> CaptureStep? {
        if let word = value.string {
            return CaptureStep.words.first { $0.name == word }?.step
        }
        if let index = value["nth"]?.number?.int { return .nth(index) }
        if let separator = value["split"] { return .split(loader.template(separator)) }
        if let pair = value["replace"], let part = pair[0], let with = pair[1] {
            return .replace(loader.template(part), with: loader.template(with))
        }
        guard let pair = value["replaceRegex"], let part = pair[0], let with = pair[1] else {
            return nil
        }
        return loader.pattern(part).map { .replaceRegex($0, with: loader.template(with)) }
    }
}
