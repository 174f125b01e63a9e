import PipelineJSON
import Synchronization

/// The values of a run: what was given, what the file sets, and what was captured so far.
final class VariableValues: Sendable {
    private let slots: Mutex<[JSONValue?]>

    init(_ values: [JSONValue?]) {
        slots = Mutex(values)
    }

    /// The value of a place in the store; `nil` before it was captured.
    subscript(slot: Int) -> JSONValue? {
        get { slots.withLock { $0[slot] } }
        set { slots.withLock { $0[slot] = newValue } }
    }

    /// The value that a placeholder stands for, with its JSON type.
    func value(of placeholder: Template.Placeholder) throws(TemplateError) -> JSONValue {
        switch placeholder.reference {
        case .slot(let slot):
            guard let value = self[slot] else {
                throw TemplateError(
                    message: "{{\(placeholder.name)}} has no value", place: placeholder.place,
                    missingSlot: slot)
            }
            return value
        case .uuid: return JSONValue(GeneratedValue.uuid())
        case .timestamp: return JSONValue(GeneratedValue.timestamp())
        case .isoTimestamp: return JSONValue(GeneratedValue.isoTimestamp())
        case .randomInt: return JSONValue(Int.random(in: 0..<1_000))
        }
    }

    /// The value that a placeholder stands for, as it is written into text: a string as it is, a
    /// number with its digits.
    func text(of placeholder: Template.Placeholder) throws(TemplateError) -> String {
        let value = try value(of: placeholder)
        switch value.kind {
        case .string: return value.string ?? ""
        case .number, .boolean: return value.sourceText
        case .null, .array, .object:
            throw TemplateError(
                message: "{{\(placeholder.name)}} is \(value.kind.described), "
                    + "which cannot be put into text",
                place: placeholder.place)
        }
    }
}
