import PipelineJSON

/// A JSON value of the file whose strings may hold placeholders, taken apart when it is loaded.
///
/// The JSON text is written once, with gaps. Each gap is inside a string, where a value is escaped,
/// or in place of a whole string, where it keeps its JSON type: whatever a value holds, it cannot
/// change the structure around it (case O25).
package struct JSONTemplate: Sendable {
    private var segments: [Segment] = []
    private var text: [UInt8] = []
    /// The value when there is no placeholder in it.
    private var constant: JSONValue?

    private enum Segment: Sendable {
        case text([UInt8])
        case whole(Template.Placeholder)
        case inString(Template.Placeholder)
    }

    /// Takes a value apart; `parse` reads one string of it.
    init(_ value: JSONValue, parse: (JSONValue) -> Template) {
        append(value, parse)
        endText()
        constant = literal.flatMap { try? JSONValue(parsing: $0) }
    }

    /// A value without placeholders.
    init(literal value: JSONValue) {
        segments = [.text(value.serialized())]
        constant = value
    }

    /// The value when there is no placeholder in it, written without white space.
    var literal: [UInt8]? {
        switch segments.count {
        case 1: if case .text(let text) = segments[0] { text } else { nil }
        default: nil
        }
    }

    /// The placeholders, in order.
    var placeholders: [Template.Placeholder] {
        segments.compactMap {
            switch $0 {
            case .text: nil
            case .whole(let placeholder), .inString(let placeholder): placeholder
            }
        }
    }

    /// The JSON text with the values put in.
    func render(_ values: VariableValues) throws(TemplateError) -> [UInt8] {
        if let literal { return literal }
        var result: [UInt8] = []
        for segment in segments {
            switch segment {
            case .text(let text): result.append(contentsOf: text)
            case .whole(let placeholder):
                result.append(contentsOf: try values.value(of: placeholder).serialized())
            case .inString(let placeholder):
                JSONWriter.appendEscaped(try values.text(of: placeholder).utf8, to: &result)
            }
        }
        return result
    }

    /// The value with the values put in.
    func value(_ values: VariableValues) throws(TemplateError) -> JSONValue {
        if let constant { return constant }
        // The text is well-formed by construction; only nesting a deep value deeper can fail.
        do {
            return try JSONValue(parsing: try render(values))
        } catch let error as TemplateError {
            throw error
        } catch {
            throw TemplateError(message: "\(error)", place: placeholders.first?.place)
        }
    }

    /// An object or array whose members or elements are being written.
    private enum Open {
        case object(JSONValue.Members)
        case array(JSONValue.Elements)
    }

    /// Writes a value with a stack of its own: it may be nested as deeply as the parser allows.
    private mutating func append(_ value: JSONValue, _ parse: (JSONValue) -> Template) {
        var open: [Open] = []
        var next: JSONValue? = value
        while true {
            if let value = next {
                switch value.kind {
                case .object:
                    text.append(UInt8(ascii: "{"))
                    open.append(.object(value.members))
                case .array:
                    text.append(UInt8(ascii: "["))
                    open.append(.array(value.elements))
                case .string: append(parse(value))
                case .number, .boolean, .null: text.append(contentsOf: value.serialized())
                }
            }
            guard let innermost = open.popLast() else { return }
            next = step(innermost, &open)
        }
    }

    /// Writes what comes before the next value of an object or array, or the end of it.
    private mutating func step(_ container: Open, _ open: inout [Open]) -> JSONValue? {
        switch container {
        case .object(var members):
            guard let member = members.next() else {
                text.append(UInt8(ascii: "}"))
                return nil
            }
            separate()
            text.append(contentsOf: JSONValue(member.name).serialized())
            text.append(UInt8(ascii: ":"))
            open.append(.object(members))
            return member.value
        case .array(var elements):
            guard let element = elements.next() else {
                text.append(UInt8(ascii: "]"))
                return nil
            }
            separate()
            open.append(.array(elements))
            return element
        }
    }

    /// Writes a comma unless this is the first of its container.
    private mutating func separate() {
        let isFirst = text.last == UInt8(ascii: "{") || text.last == UInt8(ascii: "[")
        if !isFirst { text.append(UInt8(ascii: ",")) }
    }

    private mutating func append(_ template: Template) {
        if template.segments.count == 1, case .placeholder(let whole) = template.segments[0] {
            endText()
            segments.append(.whole(whole))
            return
        }
        text.append(UInt8(ascii: "\""))
        for segment in template.segments {
            switch segment {
            case .text(let part): JSONWriter.appendEscaped(part.utf8, to: &text)
            case .placeholder(let placeholder):
                endText()
                segments.append(.inString(placeholder))
            }
        }
        text.append(UInt8(ascii: "\""))
    }

    private mutating func endText() {
        guard !text.isEmpty else { return }
        segments.append(.text(text))
        text = []
    }
}
