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
            let value = try line.value.render(values)
            // The UTF-8 view: CR LF is one Character, which equals neither CR nor LF.
            if value.utf8.contains(where: \.isLineBreakOrNull) {
                throw TemplateError(
                    message: "the header \(line.name) would hold a line break or NUL"
                        + (line.value.placeholders.first.map { ", from {{\($0.name)}}" } ?? ""),
                    place: line.place)
            }
            fields.append(HTTPField(name: line.name, value: value))
        }
        return HTTPFields(fields)
    }
}
