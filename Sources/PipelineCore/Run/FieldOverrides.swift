/// Header fields that every request of a run sends, or does not send, whatever its file says.
///
/// They belong to the request as it is written: a redirect to another origin drops what is a
/// credential or a secret among them as well.
public struct FieldOverrides: Sendable, Hashable {
    /// The fields that replace those of the same name; lines of one name are all sent.
    public var fields: HTTPFields = [:]
    /// The names of fields that are not sent, unless ``fields`` has them.
    public var removedNames: [String] = []

    /// Nothing to change.
    public init() {}

    /// Whether something is said about the field of that name, compared without regard to case.
    package func mentions(_ name: String) -> Bool {
        fields[name] != nil || removedNames.contains { HTTPFields.isSame($0, name) }
    }

    func apply(to fields: inout HTTPFields) {
        for name in removedNames + self.fields.map(\.name) { fields[name] = nil }
        for field in self.fields { fields.append(field) }
    }
}
