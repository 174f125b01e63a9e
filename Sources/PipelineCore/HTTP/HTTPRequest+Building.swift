public import PipelineJSON

// Requests as a line of code. An address that is a `String` may be wrong, so making the request
// throws; with an ``HTTPURL``, which was checked before, it does not.
extension HTTPRequest {
    /// A `GET` request.
    ///
    /// ```swift
    /// try .get("https://example.com/items", query: ["page": "2"], fields: ["Accept": "text/csv"])
    /// ```
    ///
    /// - Parameters:
    ///   - url: Where it goes: a `String` or an ``HTTPURL``.
    ///   - query: Added to the address, percent-encoded, after a query that it has already.
    ///   - fields: The header fields.
    /// - Throws: ``HTTPURLError`` when the address is a text that cannot be used.
    public static func get<Address: HTTPAddress>(
        _ url: Address, query: Parameters = [:], fields: HTTPFields = [:]
    ) throws(Address.Failure) -> HTTPRequest {
        try make("GET", url, query, fields)
    }

    /// A `HEAD` request; as ``get(_:query:fields:)``.
    public static func head<Address: HTTPAddress>(
        _ url: Address, query: Parameters = [:], fields: HTTPFields = [:]
    ) throws(Address.Failure) -> HTTPRequest {
        try make("HEAD", url, query, fields)
    }

    /// A `DELETE` request; as ``get(_:query:fields:)``.
    public static func delete<Address: HTTPAddress>(
        _ url: Address, query: Parameters = [:], fields: HTTPFields = [:]
    ) throws(Address.Failure) -> HTTPRequest {
        try make("DELETE", url, query, fields)
    }

    /// A `POST` request without content; as ``get(_:query:fields:)``.
    public static func post<Address: HTTPAddress>(
        _ url: Address, query: Parameters = [:], fields: HTTPFields = [:]
    ) throws(Address.Failure) -> HTTPRequest {
        try make("POST", url, query, fields)
    }

    /// A `POST` request that carries JSON, by default as `application/json`.
    ///
    /// ```swift
    /// try .post("https://example.com/users/1", json: ["name": "Ada", "tags": ["a", "b"]])
    /// ```
    ///
    /// Otherwise as ``get(_:query:fields:)``.
    public static func post<Address: HTTPAddress>(
        _ url: Address, json: JSONValue, query: Parameters = [:], fields: HTTPFields = [:]
    ) throws(Address.Failure) -> HTTPRequest {
        try make("POST", url, query, fields, json.serialized(), .json)
    }

    /// A `POST` request that carries a form, by default as `application/x-www-form-urlencoded`.
    ///
    /// ```swift
    /// try .post("https://example.com/users/1", form: ["name": "Ada", "tag": "a", "tag": "b"])
    /// ```
    ///
    /// Otherwise as ``get(_:query:fields:)``.
    public static func post<Address: HTTPAddress>(
        _ url: Address, form: Parameters, query: Parameters = [:], fields: HTTPFields = [:]
    ) throws(Address.Failure) -> HTTPRequest {
        try make("POST", url, query, fields, Array(form.encoded.utf8), .form)
    }

    /// A `POST` request that carries a text in UTF-8, by default as `text/plain`.
    ///
    /// Otherwise as ``get(_:query:fields:)``.
    public static func post<Address: HTTPAddress>(
        _ url: Address, text: String, query: Parameters = [:], fields: HTTPFields = [:]
    ) throws(Address.Failure) -> HTTPRequest {
        try make("POST", url, query, fields, Array(text.utf8), .text)
    }

    /// A `PUT` request without content; as ``get(_:query:fields:)``.
    public static func put<Address: HTTPAddress>(
        _ url: Address, query: Parameters = [:], fields: HTTPFields = [:]
    ) throws(Address.Failure) -> HTTPRequest {
        try make("PUT", url, query, fields)
    }

    /// A `PUT` request that carries JSON, by default as `application/json`.
    ///
    /// ```swift
    /// try .put("https://example.com/users/1", json: ["name": "Ada", "tags": ["a", "b"]])
    /// ```
    ///
    /// Otherwise as ``get(_:query:fields:)``.
    public static func put<Address: HTTPAddress>(
        _ url: Address, json: JSONValue, query: Parameters = [:], fields: HTTPFields = [:]
    ) throws(Address.Failure) -> HTTPRequest {
        try make("PUT", url, query, fields, json.serialized(), .json)
    }

    /// A `PUT` request that carries a form, by default as `application/x-www-form-urlencoded`.
    ///
    /// ```swift
    /// try .put("https://example.com/users/1", form: ["name": "Ada", "tag": "a", "tag": "b"])
    /// ```
    ///
    /// Otherwise as ``get(_:query:fields:)``.
    public static func put<Address: HTTPAddress>(
        _ url: Address, form: Parameters, query: Parameters = [:], fields: HTTPFields = [:]
    ) throws(Address.Failure) -> HTTPRequest {
        try make("PUT", url, query, fields, Array(form.encoded.utf8), .form)
    }

    /// A `PUT` request that carries a text in UTF-8, by default as `text/plain`.
    ///
    /// Otherwise as ``get(_:query:fields:)``.
    public static func put<Address: HTTPAddress>(
        _ url: Address, text: String, query: Parameters = [:], fields: HTTPFields = [:]
    ) throws(Address.Failure) -> HTTPRequest {
        try make("PUT", url, query, fields, Array(text.utf8), .text)
    }

    /// A `PATCH` request without content (RFC 5789); as ``get(_:query:fields:)``.
    public static func patch<Address: HTTPAddress>(
        _ url: Address, query: Parameters = [:], fields: HTTPFields = [:]
    ) throws(Address.Failure) -> HTTPRequest {
        try make("PATCH", url, query, fields)
    }

    /// A `PATCH` request that carries JSON, by default as `application/json`.
    ///
    /// ```swift
    /// try .patch("https://example.com/users/1", json: ["name": "Ada", "tags": ["a", "b"]])
    /// ```
    ///
    /// Otherwise as ``get(_:query:fields:)``.
    public static func patch<Address: HTTPAddress>(
        _ url: Address, json: JSONValue, query: Parameters = [:], fields: HTTPFields = [:]
    ) throws(Address.Failure) -> HTTPRequest {
        try make("PATCH", url, query, fields, json.serialized(), .json)
    }

    /// A `PATCH` request that carries a form, by default as `application/x-www-form-urlencoded`.
    ///
    /// ```swift
    /// try .patch("https://example.com/users/1", form: ["name": "Ada", "tag": "a", "tag": "b"])
    /// ```
    ///
    /// Otherwise as ``get(_:query:fields:)``.
    public static func patch<Address: HTTPAddress>(
        _ url: Address, form: Parameters, query: Parameters = [:], fields: HTTPFields = [:]
    ) throws(Address.Failure) -> HTTPRequest {
        try make("PATCH", url, query, fields, Array(form.encoded.utf8), .form)
    }

    /// A `PATCH` request that carries a text in UTF-8, by default as `text/plain`.
    ///
    /// Otherwise as ``get(_:query:fields:)``.
    public static func patch<Address: HTTPAddress>(
        _ url: Address, text: String, query: Parameters = [:], fields: HTTPFields = [:]
    ) throws(Address.Failure) -> HTTPRequest {
        try make("PATCH", url, query, fields, Array(text.utf8), .text)
    }

    private enum ContentType: String {
        case json = "application/json"
        case form = "application/x-www-form-urlencoded"
        case text = "text/plain; charset=utf-8"
    }

    private static func make<Address: HTTPAddress>(
        _ method: String, _ url: Address, _ query: Parameters, _ fields: HTTPFields,
        _ content: [UInt8]? = nil, _ type: ContentType? = nil
    ) throws(Address.Failure) -> HTTPRequest {
        var fields = fields
        if let type, fields["Content-Type"] == nil { fields["Content-Type"] = type.rawValue }
        return HTTPRequest(
            method: method, url: try url.httpURL().appending(query: query), fields: fields,
            body: content.map { .bytes($0) })
    }
}
