/// The metaschemas of draft 2020-12, as published.
enum Metaschema {
    /// The one that stands for the whole draft.
    static let uri = base + "schema"

    /// The metaschema with this URI.
    static func text(_ uri: String) -> String? {
        uri.hasPrefix(base) ? texts[String(uri.dropFirst(base.count))] : nil
    }

    private static let base = "https://json-schema.org/draft/2020-12/"

    private static let texts = [
        "schema": schema, "meta/core": core, "meta/applicator": applicator,
        "meta/unevaluated": unevaluated, "meta/validation": validation,
        "meta/meta-data": metaData, "meta/format-annotation": formatAnnotation,
        "meta/format-assertion": formatAssertion, "meta/content": content,
    ]
}
