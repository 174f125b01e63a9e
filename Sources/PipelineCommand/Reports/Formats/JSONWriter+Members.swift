import PipelineCore
import PipelineJSON

// Members of objects; one that is `nil` is left out.
extension JSONWriter {
    mutating func member(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        plainMember(name, value)
    }

    mutating func member(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        plainMember(name, value)
    }

    mutating func member(_ name: StaticString, _ value: Bool) {
        plainName(name)
        self.value(value)
    }

    /// A duration in milliseconds, to the microsecond.
    mutating func member(_ name: StaticString, _ value: Duration?) {
        guard let value else { return }
        member(name, microseconds: value.wholeMicroseconds)
    }

    /// A duration in milliseconds, to the microsecond.
    mutating func member(_ name: StaticString, microseconds: Int64) {
        plainMember(name, thousandths: microseconds)
    }

    mutating func member(_ name: StaticString, _ value: [String]) {
        array(name, value) { $0.value($1) }
    }

    mutating func array<Elements: Sequence>(
        _ name: StaticString, _ elements: Elements,
        _ write: (inout JSONWriter, Elements.Element) -> Void
    ) {
        plainName(name)
        beginArray()
        for element in elements { write(&self, element) }
        endArray()
    }

    mutating func object(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
        plainName(name)
        object(write)
    }

    mutating func object(_ write: (inout JSONWriter) -> Void) {
        beginObject()
        write(&self)
        endObject()
    }

    /// The name and the version of this program.
    mutating func program(_ name: StaticString) {
        object(name) { writer in
            writer.member("name", "pipeline-run")
            writer.member("version", Version.text)
        }
    }

    /// How many requests ended in which way.
    mutating func counts(_ count: (RequestResult.Outcome) -> Int) {
        object("counts") { writer in
            for outcome in RequestResult.Outcome.allCases {
                writer.name(outcome.rawValue)
                writer.value(count(outcome))
            }
        }
    }
}
