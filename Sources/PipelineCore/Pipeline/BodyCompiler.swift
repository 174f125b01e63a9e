import PipelineJSON

/// Compiles what requests and examples carry.
///
/// What has the wrong shape was reported before and is left out.
struct BodyCompiler {
    let loader: PipelineLoader

    /// The body of a request.
    func requestBody(_ value: JSONValue) -> RequestBodyTemplate? {
        if let file = value["file"] { return loader.file(file).map { .file($0) } }
        if let query = value["graphql"] { return .content(.json(loader.jsonTemplate(query))) }
        guard let form = value["multipart"] else { return content(value).map { .content($0) } }
        var parts: [RequestBodyTemplate.Part] = []
        for member in form.members {
            let values = member.value.kind == .array ? Array(member.value.elements) : [member.value]
            parts += values.compactMap { part(member.name, $0) }
        }
        return .multipart(parts)
    }

    /// Content that is known without looking at a file.
    func content(_ value: JSONValue) -> BodyTemplate? {
        if let json = value["json"] { return .json(loader.jsonTemplate(json)) }
        if let text = value["text"], text.kind == .string { return .text(loader.template(text)) }
        if let form = value["form"] { return .form(parameters(form)) }
        guard let base64 = value["base64"], let text = base64.string else { return nil }
        guard let bytes = Base64.decode(text) else {
            loader.report("expected Base64 (RFC 4648)", base64.sourceRange)
            return nil
        }
        return .bytes(bytes)
    }

    /// Names and values; an array repeats its name.
    func parameters(_ value: JSONValue) -> [AddressTemplate.Parameter] {
        var result: [AddressTemplate.Parameter] = []
        for member in value.members {
            let values = member.value.kind == .array ? Array(member.value.elements) : [member.value]
            for value in values {
                result.append(.init(name: member.name, value: scalar(value)))
            }
        }
        return result
    }

    private func part(_ name: String, _ value: JSONValue) -> RequestBodyTemplate.Part? {
        func text(_ key: String) -> Template? {
            value[key].flatMap { $0.kind == .string ? loader.template($0) : nil }
        }
        let content: RequestBodyTemplate.Part.Content
        if let file = value["file"] {
            guard let file = loader.file(file) else { return nil }
            content = .file(file)
        } else if value.kind == .object {
            guard let text = text("text") else { return nil }
            content = .text(text)
        } else {
            content = .text(scalar(value))
        }
        return .init(
            name: name, content: content, contentType: text("contentType"),
            filename: text("filename"), place: SourcePlace(value.sourceRange))
    }

    private func scalar(_ value: JSONValue) -> Template {
        value.kind == .string ? loader.template(value) : Template(literal: value.sourceText)
    }
}

extension PipelineLoader {
    /// A file that the pipeline names; `nil` for what is not a string.
    func file(_ value: JSONValue) -> FileTemplate? {
        guard value.kind == .string else { return nil }
        return FileTemplate(path: template(value), place: SourcePlace(value.sourceRange))
    }
}
