import PipelineCore

/// Text as a POSIX shell reads it (IEEE Std 1003.1, Shell Command Language, section 2.2).
enum ShellText {
    private static let plain = ASCIISet(printableBut: " !\"#$&'()*;<>?[\\]^`{|}~")

    /// One word that means exactly this text.
    static func quoted(_ text: String) -> String {
        if text.utf8.allSatisfy(plain.contains), !text.isEmpty { return text }
        guard text.utf8.contains(UInt8(ascii: "'")) else { return "'\(text)'" }
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }

    /// A `printf` command whose output is exactly this text, written with nothing but characters
    /// that can be seen; `nil` when the text itself has no others.
    static func printf(_ text: String) -> String? {
        guard text.unicodeScalars.contains(where: \.isInvisible) else { return nil }
        var format = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": format += "%%"
            case "\\": format += #"\\"#
            case "\n": format += #"\n"#
            case _ where scalar.isInvisible:
                for byte in String(scalar).utf8 {
                    let digits = String(byte, radix: 8)
                    format += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
                }
            default: format.unicodeScalars.append(scalar)
            }
        }
        // What begins with a dash would be an option.
        return "printf " + (format.hasPrefix("-") ? "-- " : "") + quoted(format)
    }
}

extension Unicode.Scalar {
    /// Whether a terminal acts on the character, or does not show it, instead of drawing it.
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
