/// The vocabularies that a metaschema asks for; that of the core cannot be left out.
struct Vocabulary: OptionSet {
    let rawValue: UInt8

    static let applicator = Vocabulary(rawValue: 1 << 0)
    static let unevaluated = Vocabulary(rawValue: 1 << 1)
    static let validation = Vocabulary(rawValue: 1 << 2)
    static let formatAnnotation = Vocabulary(rawValue: 1 << 3)
    static let formatAssertion = Vocabulary(rawValue: 1 << 4)

    /// Those of the metaschema of the draft.
    static let standard: Vocabulary = [.applicator, .unevaluated, .validation, .formatAnnotation]

    private static let base = "https://json-schema.org/draft/2020-12/vocab/"

    private static let names: [String: Vocabulary] = [
        "core": [], "meta-data": [], "content": [], "applicator": .applicator,
        "unevaluated": .unevaluated, "validation": .validation,
        "format-annotation": .formatAnnotation, "format-assertion": .formatAssertion,
    ]

    /// Those in the `$vocabulary` of a metaschema; throws the URI of one that is required and not known.
    ///
    /// Whether a vocabulary that is known is required makes no difference.
    static func of(_ metaschema: JSONValue) throws(UnknownVocabulary) -> Vocabulary {
        guard let declared = metaschema["$vocabulary"] else { return .standard }
        var vocabularies: Vocabulary = []
        for member in declared.members {
            let uri = member.name
            if uri.hasPrefix(base), let known = names[String(uri.dropFirst(base.count))] {
                vocabularies.formUnion(known)
            } else if member.value.boolean == true {
                throw UnknownVocabulary(uri: uri)
            }
        }
        return vocabularies
    }
}

/// A vocabulary without which a schema may not be read.
struct UnknownVocabulary: Error {
    let uri: String
}
