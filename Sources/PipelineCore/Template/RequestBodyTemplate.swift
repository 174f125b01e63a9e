/// What a request carries, as the file writes it: content, or files that are streamed.
///
/// Indirect, because most requests have none and should not hold room for it.
indirect enum RequestBodyTemplate: Sendable {
    case content(BodyTemplate)
    case file(FileTemplate)
    case multipart([Part])

    /// One part of a form with files (RFC 7578).
    struct Part: Sendable {
        let name: String
        let content: Content
        let contentType: Template?
        let filename: Template?
        let place: SourcePlace

        enum Content: Sendable {
            case text(Template)
            case file(FileTemplate)
        }
    }

    /// Puts the values in; looks at files but does not read them.
    ///
    /// - Returns: The body, and the media type that is sent unless the file sets one.
    func render(
        _ values: VariableValues, _ files: FileRoot
    ) throws(TemplateError) -> (body: HTTPRequest.Body, contentType: String) {
        switch self {
        case .content(let template):
            return (.bytes(try template.render(values)), template.contentType)
        case .file(let file):
            let (path, size) = try file.readable(values, files)
            return (.pieces([.file(path: path, size: size)]), "application/octet-stream")
        case .multipart(let parts):
            var form = MultipartBody([])
            for part in parts { form.parts.append(try part.render(values, files)) }
            do throws(MultipartError) {
                return try form.render(boundary: "----\(GeneratedValue.uuid())")
            } catch {
                throw TemplateError(message: error.description, place: parts.first?.place)
            }
        }
    }

    var placeholders: [Template.Placeholder] {
        switch self {
        case .content(let template): template.placeholders
        case .file(let file): file.path.placeholders
        case .multipart(let parts): parts.flatMap(\.placeholders)
        }
    }

    /// The files that it names.
    var files: [FileTemplate] {
        switch self {
        case .content: []
        case .file(let file): [file]
        case .multipart(let parts):
            parts.compactMap { if case .file(let file) = $0.content { file } else { nil } }
        }
    }
}

extension RequestBodyTemplate.Part {
    fileprivate var placeholders: [Template.Placeholder] {
        let content =
            switch content {
            case .text(let text): text.placeholders
            case .file(let file): file.path.placeholders
            }
        return content + (contentType?.placeholders ?? []) + (filename?.placeholders ?? [])
    }

    fileprivate func render(
        _ values: VariableValues, _ files: FileRoot
    ) throws(TemplateError) -> MultipartBody.Part {
        let contentType = try contentType.map { template throws(TemplateError) in
            try template.renderLine(values, "the contentType of the part \(name)", at: place)
        }
        let filename = try filename?.render(values)
        switch content {
        case .text(let text):
            return MultipartBody.Part(
                name: name, filename: filename, contentType: contentType,
                content: .bytes(Array(try text.render(values).utf8)))
        case .file(let file):
            let (path, size) = try file.readable(values, files)
            return MultipartBody.Part(
                name: name, filename: filename ?? FileRoot.lastComponent(of: path),
                contentType: contentType ?? "application/octet-stream",
                content: .file(path: path, size: size))
        }
    }
}
