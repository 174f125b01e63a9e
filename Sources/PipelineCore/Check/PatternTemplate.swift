import PipelineJSON

/// A regular expression of the file; compiled when the file is loaded, unless it has placeholders.
///
/// What a placeholder stands for is matched literally: a value is text, never a pattern.
struct PatternTemplate: Sendable {
    private let content: Content

    private enum Content {
        case compiled(RegularExpression)
        case template(Template)
    }

    /// Compiles a pattern as far as it is known.
    ///
    /// - Throws: What is wrong with it, tried with a letter in place of each value.
    init(_ template: Template) throws(RegularExpressionError) {
        let pattern = Self.join(template) { _ in "x" }
        let expression = try RegularExpression(pattern)
        content = template.literal == nil ? .template(template) : .compiled(expression)
    }

    /// The expression with the values put in.
    func expression(_ values: VariableValues) throws(TemplateError) -> RegularExpression {
        switch content {
        case .compiled(let expression): return expression
        case .template(let template):
            var texts: [String] = []
            for placeholder in template.placeholders {
                texts.append(RegularExpression.escaped(try values.text(of: placeholder)))
            }
            let pattern = Self.join(template) { texts[$0] }
            do {
                return try RegularExpression(pattern)
            } catch {
                throw TemplateError(
                    message: error.message, place: template.placeholders.first?.place)
            }
        }
    }

    var placeholders: [Template.Placeholder] {
        if case .template(let template) = content { template.placeholders } else { [] }
    }

    /// The pattern as the file writes it, for messages: a value may be secret.
    var text: String {
        switch content {
        case .compiled(let expression): expression.pattern
        case .template(let template):
            template.segments.map {
                switch $0 {
                case .text(let text): text
                case .placeholder(let placeholder): "{{\(placeholder.name)}}"
                }
            }.joined()
        }
    }

    /// Puts values in, each as one unit: a repetition after it repeats all of it.
    ///
    /// Within a class, where there are no units, its characters stand for themselves.
    private static func join(_ template: Template, _ value: (Int) -> String) -> String {
        var count = 0
        var isInClass = false
        var isEscaped = false
        return template.segments.map { segment in
            switch segment {
            case .text(let text):
                for byte in text.utf8 {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "[") {
                        isInClass = true
                    } else if byte == UInt8(ascii: "]") {
                        isInClass = false
                    }
                }
                return text
            case .placeholder:
                defer { count += 1 }
                return isInClass ? value(count) : "(?:\(value(count)))"
            }
        }.joined()
    }
}
