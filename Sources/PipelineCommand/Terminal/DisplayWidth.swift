extension Unicode.Scalar {
    /// How many columns of a terminal the scalar takes, as most of them draw it.
    fileprivate var displayWidth: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch value {
        // Vowels and final consonants of Hangul, which are drawn within the syllable.
        case 0x1160...0x11FF: return 0
        // Halves of a flag: emoji that are not wide by themselves.
        case 0x1F1E6...0x1F1FF: return 1
        case _ where properties.isEmojiPresentation: return 2
        // East Asian wide and fullwidth characters, and pictures (Unicode Annex 11).
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default:
            return 1
        }
    }
}

extension String {
    /// How many columns of a terminal the text takes.
    var displayWidth: Int { unicodeScalars.reduce(0) { $0 + $1.displayWidth } }

    /// The text with spaces after it, up to that width.
    func padded(toWidth width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - displayWidth))
    }

    /// The text with spaces before it, up to that width.
    func indented(toWidth width: Int) -> String {
        String(repeating: " ", count: max(0, width - displayWidth)) + self
    }

    /// The text, or as much of it as fits with an ellipsis after it.
    func cut(toWidth width: Int) -> String {
        guard displayWidth > width else { return self }
        var result = ""
        var room = width - 1
        for scalar in unicodeScalars {
            room -= scalar.displayWidth
            guard room >= 0 else { break }
            result.unicodeScalars.append(scalar)
        }
        return width > 0 ? result + "…" : ""
    }
}
