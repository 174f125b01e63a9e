import PipelineJSON

/// Compiles the keys about connections: `tls`, `proxy`, `unixSocket`, `http`.
///
/// What has the wrong shape was reported before and is left out.
struct ConnectionCompiler {
    let loader: PipelineLoader

    /// Each key that is written replaces the inherited one; `null` switches all of them off.
    func apply(tls value: JSONValue, to connection: inout ConnectionTemplate) {
        if value.isNull { connection.tls = .init() }
        for member in value.members {
            switch member.name {
            case "verify": connection.tls.isVerified = member.value.boolean ?? true
            case "ca": connection.tls.authorities = loader.line(member.value)
            case "certificate": connection.tls.certificate = loader.line(member.value)
            case "key": connection.tls.key = loader.line(member.value)
            case "minVersion":
                connection.tls.minimumVersion = member.value.string.flatMap(TLSOptions.Version.init)
            default: break
            }
        }
    }

    /// The options, when they are the same in every run; reports files that are not there.
    func fixed(_ connection: ConnectionTemplate) -> Shared<ConnectionOptions>? {
        guard connection.placeholders.isEmpty else { return nil }
        do {
            return Shared(try connection.render(VariableValues([]), loader.files))
        } catch {
            if let place = error.place { loader.report(error.message, place) }
            return nil
        }
    }
}

extension PipelineLoader {
    /// A string and its place; `nil` for anything else.
    func line(_ value: JSONValue) -> ConnectionTemplate.Line? {
        guard value.kind == .string else { return nil }
        return .init(template: template(value), place: SourcePlace(value.sourceRange))
    }
}
