/// Text as the Test Anything Protocol takes it, version 14.
enum TAPText {
    /// A description or the reason of a directive: on one line, `#` and `\` escaped.
    static func description(_ text: String) -> String {
        if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 && $0 != 0x23 && $0 != 0x5C }) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "#", "\\":
                result.unicodeScalars.append("\\")
                result.unicodeScalars.append(scalar)
            case "\n", "\r", "\t": result += " "
            case _ where scalar.isUnprintable: result += "\\" + scalar.visibleEscape
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A YAML string in double quotes (YAML 1.2, section 7.3.1).
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.isUnprintable && scalar.value > 0xFFFF:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            case _ where scalar.isUnprintable: result += scalar.visibleEscape
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension Unicode.Scalar {
    /// Whether it is not shown, ends a line or reverses text (YAML 1.2, section 5.1, and more).
    fileprivate var isUnprintable: Bool {
        switch value {
        case 0x20...0x7E: false
        case 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
        default:
            properties.generalCategory == .control || isBidirectionalControl
                || properties.isNoncharacterCodePoint
        }
    }
}
