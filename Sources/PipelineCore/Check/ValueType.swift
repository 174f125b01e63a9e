import PipelineJSON

/// What `type` asks for: a JSON type, or the form of a text.
enum ValueType: String, Sendable, CaseIterable {
    case string
    case number
    case integer
    case boolean
    case null
    case array
    case object
    case uuid
    case date
    case datetime
    case email
    case uri
    case ipv4
    case ipv6

    /// What messages say is expected.
    var described: String {
        switch self {
        case .string: "a string"
        case .number: "a number"
        case .integer: "an integer"
        case .boolean: "a Boolean"
        case .null: "null"
        case .array: "an array"
        case .object: "an object"
        case .uuid: "a UUID (RFC 9562)"
        case .date: "a full-date (RFC 3339)"
        case .datetime: "a date-time with an offset (RFC 3339)"
        case .email: "an e-mail address (RFC 5321)"
        case .uri: "a URI (RFC 3986)"
        case .ipv4: "an IPv4 address"
        case .ipv6: "an IPv6 address (RFC 4291)"
        }
    }

    /// Whether a value is of this type.
    func accepts(_ value: JSONValue) -> Bool {
        switch self {
        case .string: value.kind == .string
        case .number: value.kind == .number
        case .integer: value.number?.isInteger ?? false
        case .boolean: value.kind == .boolean
        case .null: value.isNull
        case .array: value.kind == .array
        case .object: value.kind == .object
        case .uuid: value.isText(of: .uuid)
        case .date: value.isText(of: .date)
        case .datetime: value.isText(of: .dateTime)
        case .email: value.isText(of: .email)
        case .uri: value.isText(of: .uri)
        case .ipv4: value.isText(of: .ipv4)
        case .ipv6: value.isText(of: .ipv6)
        }
    }
}

extension JSONValue {
    fileprivate func isText(of format: TextFormat) -> Bool { string.map(format.matches) ?? false }
}
