import PipelineCore
import PipelineJSON

/// One variable that the command line gives a value.
struct Assignment: Sendable {
    let name: String
    let value: JSONValue
    /// Whether no output may show it.
    var isSecret = false

    /// Reads `NAME=VALUE`, a string, or `NAME:=JSON`.
    ///
    /// - Throws: What is wrong, without the value.
    static func variable(_ text: String) throws(UsageError) -> Assignment {
        guard let (name, value) = text.splitAtEqualsSign else {
            throw UsageError("expected NAME=VALUE or NAME:=JSON")
        }
        guard name.hasSuffix(":") else {
            return Assignment(name: try checked(name), value: JSONValue(value))
        }
        let typed = try checked(String(name.dropLast()))
        do {
            return Assignment(name: typed, value: try JSONValue(parsing: value))
        } catch {
            // The parser's own message would show a part of the value.
            throw UsageError(
                "the value of \(typed) is not JSON (at byte \(error.offset + 1)); "
                    + "a string needs no colon: \(typed)=VALUE")
        }
    }

    /// Reads `NAME=VALUE`, a string that is masked everywhere.
    static func secret(_ text: String) throws(UsageError) -> Assignment {
        guard let (name, value) = text.splitAtEqualsSign else {
            throw UsageError("expected NAME=VALUE")
        }
        guard value.utf8.count >= Redactor.minimumLength else {
            throw UsageError(
                "the value of \(name) is shorter than \(Redactor.minimumLength) bytes "
                    + "and could not be masked")
        }
        return Assignment(name: try checked(name), value: JSONValue(value), isSecret: true)
    }

    private static func checked(_ name: String) throws(UsageError) -> String {
        guard VariableName.isValid(name), !name.hasPrefix("env.") else {
            throw UsageError("\"\(name)\" is not the name of a variable")
        }
        return name
    }
}

extension StringProtocol {
    /// What stands before and after the first `=`; `nil` without one.
    var splitAtEqualsSign: (before: String, after: String)? {
        guard let sign = utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (String(self[..<sign]), String(self[utf8.index(after: sign)...]))
    }
}
