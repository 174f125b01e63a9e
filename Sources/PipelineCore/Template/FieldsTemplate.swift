/// The header fields of a request or an example, as the file writes them.
struct FieldsTemplate: Sendable {
    private(set) var lines: [Line] = []

    struct Line: Sendable {
        let name: String
        let value: Template
        /// Where the file writes the value.
        let place: SourcePlace
    }

    /// Whether a line of that name is there.
    func contains(_ name: String) -> Bool {
        lines.contains { HTTPFields.isSame($0.name, name) }
    }

    mutating func append(_ line: Line) {
        lines.append(line)
    }

    mutating func remove(_ name: String) {
        lines.removeAll { HTTPFields.isSame($0.name, name) }
    }

    /// Puts the values in; refuses what would end or forge a line (case O20).
    func render(_ values: VariableValues) throws(TemplateError) -> HTTPFields {
        var fields: [HTTPField] = []
        fields.reserveCapacity(lines.count)
        for line in lines {
            let value = try line.value.renderLine(
                values, "the header \(line.name)", at: line.place)
            fields.append(HTTPField(name: line.name, value: value))
        }
        return HTTPFields(fields)
    }
}
