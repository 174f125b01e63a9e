/// A-labels: labels of host names that stand for Unicode ones (RFC 5890 to 5892).
///
/// Not checked are normalization form C and the rule for texts in both directions (RFC 5893), since the
/// standard library gives neither; and a zero-width non-joiner is known between Arabic letters only.
enum InternationalLabel {
    /// Whether a label claims to be one.
    static func isMarked(_ label: ArraySlice<UInt8>) -> Bool {
        label.prefix(4).elementsEqual("xn--".utf8) { $0 | 0x20 == $1 | 0x20 }
    }

    /// Whether what a marked label stands for may be a label (RFC 5891 section 4.2.3).
    static func isValid(_ label: ArraySlice<UInt8>) -> Bool {
        guard let scalars = Punycode.decode(label.dropFirst(4)),
            scalars.contains(where: { !$0.isASCII }),
            scalars.first != "-", scalars.last != "-",
            !(scalars.count >= 4 && scalars[2] == "-" && scalars[3] == "-"),
            scalars.first.map({ !$0.properties.generalCategory.isMark }) ?? false
        else { return false }
        return scalars.indices.allSatisfy { isAllowed(at: $0, in: scalars) }
    }

    /// The A-label of a label in any script, in lower case; `nil` for what may not be a label.
    ///
    /// Upper-case letters become lower-case ones (RFC 5895, section 2); nothing else is mapped. Marks
    /// that a letter in one piece exists for are refused with the rest of what is not in
    /// normalization form C, as far as that can be told: after a letter of the Latin, Greek or
    /// Cyrillic script, marks of the block of combining diacritics.
    static func ascii(_ label: Substring) -> String? {
        let scalars = Array(label.lowercased().unicodeScalars)
        guard !scalars.allSatisfy(\.isASCII) else {
            return String(String.UnicodeScalarView(scalars))
        }
        let hasLooseMark = scalars.contains { 0x300...0x36F ~= $0.value }
        guard !hasLooseMark, let encoded = Punycode.encode(scalars) else { return nil }
        let result = "xn--" + encoded
        return result.utf8.count <= 63 && isValid(Array(result.utf8)[...]) ? result : nil
    }

    /// RFC 5892 section 3, with the rules of appendix A for what depends on the neighbours.
    private static func isAllowed(at place: Int, in label: [Unicode.Scalar]) -> Bool {
        let before = place > 0 ? label[place - 1] : nil
        let after = place + 1 < label.count ? label[place + 1] : nil
        switch label[place].value {
        case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007:
            return true
        case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B:
            return false
        case 0x200C:
            return before?.isVirama == true || joins(at: place, in: label)
        case 0x200D:
            return before?.isVirama == true
        case 0xB7:
            return before == "l" && after == "l"
        case 0x375:
            return after?.isGreek == true
        case 0x5F3, 0x5F4:
            return before?.isHebrew == true
        case 0x30FB:
            return label.contains(where: \.isJapanese)
        case 0x660...0x669:
            return !label.contains { 0x6F0...0x6F9 ~= $0.value }
        case 0x6F0...0x6F9:
            return !label.contains { 0x660...0x669 ~= $0.value }
        default:
            return label[place].isLabelLetter
        }
    }

    /// Whether a letter that joins forward and one that joins backward are on the two sides.
    private static func joins(at place: Int, in label: [Unicode.Scalar]) -> Bool {
        let before = label[..<place].last { !$0.properties.generalCategory.isMark }
        let after = label[(place + 1)...].first { !$0.properties.generalCategory.isMark }
        guard let before, let after else { return false }
        return before.joinsBothSides && (after.joinsBothSides || after.joinsRightSide)
    }
}

extension Unicode.Scalar {
    /// A letter, digit or mark that normalization and case folding leave as it is.
    fileprivate var isLabelLetter: Bool {
        if isASCII { return self == "-" || "0"..."9" ~= self || "a"..."z" ~= self }
        switch value {
        case 0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7FB: return false
        case 0x20D0...0x20FF, 0x1D100...0x1D1FF, 0x1D200...0x1D24F: return false
        default: break
        }
        guard !properties.changesWhenNFKCCaseFolded, !properties.isDefaultIgnorableCodePoint else {
            return false
        }
        switch properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .otherLetter, .modifierLetter, .decimalNumber,
            .nonspacingMark, .spacingMark:
            return true
        default:
            return false
        }
    }

    fileprivate var isVirama: Bool { properties.canonicalCombiningClass == .virama }

    fileprivate var isGreek: Bool {
        switch value {
        case 0x370...0x373, 0x375...0x377, 0x37A...0x37D, 0x37F, 0x384, 0x386, 0x388...0x3E1,
            0x3F0...0x3FF, 0x1F00...0x1FFE:
            true
        default: false
        }
    }

    fileprivate var isHebrew: Bool {
        0x591...0x5F4 ~= value || 0xFB1D...0xFB4F ~= value
    }

    /// Hiragana, Katakana or Han.
    fileprivate var isJapanese: Bool {
        switch value {
        case 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FD...0x30FF, 0x31F0...0x31FF,
            0x1B000...0x1B16F:
            true
        default: properties.isIdeographic
        }
    }

    /// `Joining_Type` R in the Arabic block.
    fileprivate var joinsRightSide: Bool {
        switch value {
        case 0x622...0x625, 0x627, 0x629, 0x62F...0x632, 0x648, 0x671...0x673, 0x675...0x677,
            0x688...0x699, 0x6C0, 0x6C3...0x6CB, 0x6CD, 0x6CF, 0x6D2, 0x6D3, 0x6D5, 0x6EE, 0x6EF:
            true
        default: false
        }
    }

    /// `Joining_Type` D in the Arabic block: letters that neither join to the right only nor not at all.
    fileprivate var joinsBothSides: Bool {
        0x620...0x6FF ~= value && properties.generalCategory == .otherLetter && !joinsRightSide
            && ![0x621, 0x674].contains(value)
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isMark: Bool {
        [.nonspacingMark, .spacingMark, .enclosingMark].contains(self)
    }
}
