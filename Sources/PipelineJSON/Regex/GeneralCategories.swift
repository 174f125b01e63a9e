/// A set of Unicode's general categories, named as in `\p{…}`.
struct GeneralCategories: OptionSet, Sendable, Hashable {
    let rawValue: UInt32

    /// All categories.
    static let all = GeneralCategories(rawValue: 1 << UInt32(names.count) - 1)

    /// The categories that a short name of one or two letters stands for: `Lu`, or `L` for all of them.
    init?(shortName: String) {
        let indices = Self.names.indices.filter {
            Self.names[$0].short == shortName || String(Self.names[$0].short.prefix(1)) == shortName
        }
        guard !indices.isEmpty else { return nil }
        self.init(rawValue: indices.reduce(0) { $0 | 1 << UInt32($1) })
    }

    /// The categories that a name stands for in ECMA-262: a short or long one, or a group of them.
    init?(name: String) {
        if let index = Self.names.firstIndex(where: { $0.long == name }) {
            self.init(rawValue: 1 << UInt32(index))
        } else if let short = Self.groups[name] {
            self.init(shortName: short)
        } else if name == "LC" || name == "Cased_Letter" {
            self = [.upper, .lower, .title]
        } else if name == "Assigned" {
            self = .all.subtracting(.unassigned)
        } else {
            self.init(shortName: name)
        }
    }

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    func contains(scalar value: UInt32) -> Bool {
        guard !isEmpty, let scalar = Unicode.Scalar(value) else { return false }
        return rawValue >> scalar.properties.generalCategory.index & 1 == 1
    }

    private static let upper = GeneralCategories(rawValue: 1)
    private static let lower = GeneralCategories(rawValue: 1 << 1)
    private static let title = GeneralCategories(rawValue: 1 << 2)
    private static let unassigned = GeneralCategories(rawValue: 1 << 29)

    /// In the order of the bits.
    private static let names: [(short: String, long: String)] = [
        ("Lu", "Uppercase_Letter"), ("Ll", "Lowercase_Letter"), ("Lt", "Titlecase_Letter"),
        ("Lm", "Modifier_Letter"), ("Lo", "Other_Letter"), ("Mn", "Nonspacing_Mark"),
        ("Mc", "Spacing_Mark"), ("Me", "Enclosing_Mark"), ("Nd", "Decimal_Number"),
        ("Nl", "Letter_Number"), ("No", "Other_Number"), ("Pc", "Connector_Punctuation"),
        ("Pd", "Dash_Punctuation"), ("Ps", "Open_Punctuation"), ("Pe", "Close_Punctuation"),
        ("Pi", "Initial_Punctuation"), ("Pf", "Final_Punctuation"), ("Po", "Other_Punctuation"),
        ("Sm", "Math_Symbol"), ("Sc", "Currency_Symbol"), ("Sk", "Modifier_Symbol"),
        ("So", "Other_Symbol"), ("Zs", "Space_Separator"), ("Zl", "Line_Separator"),
        ("Zp", "Paragraph_Separator"), ("Cc", "Control"), ("Cf", "Format"), ("Cs", "Surrogate"),
        ("Co", "Private_Use"), ("Cn", "Unassigned"),
    ]

    private static let groups = [
        "Letter": "L", "Mark": "M", "Combining_Mark": "M", "Number": "N", "Punctuation": "P",
        "punct": "P", "Symbol": "S", "Separator": "Z", "Other": "C", "digit": "Nd", "cntrl": "Cc",
    ]
}

extension Unicode.GeneralCategory {
    fileprivate var index: UInt32 {
        switch self {
        case .uppercaseLetter: 0
        case .lowercaseLetter: 1
        case .titlecaseLetter: 2
        case .modifierLetter: 3
        case .otherLetter: 4
        case .nonspacingMark: 5
        case .spacingMark: 6
        case .enclosingMark: 7
        case .decimalNumber: 8
        case .letterNumber: 9
        case .otherNumber: 10
        case .connectorPunctuation: 11
        case .dashPunctuation: 12
        case .openPunctuation: 13
        case .closePunctuation: 14
        case .initialPunctuation: 15
        case .finalPunctuation: 16
        case .otherPunctuation: 17
        case .mathSymbol: 18
        case .currencySymbol: 19
        case .modifierSymbol: 20
        case .otherSymbol: 21
        case .spaceSeparator: 22
        case .lineSeparator: 23
        case .paragraphSeparator: 24
        case .control: 25
        case .format: 26
        case .surrogate: 27
        case .privateUse: 28
        case .unassigned: 29
        @unknown default: 29
        }
    }
}
