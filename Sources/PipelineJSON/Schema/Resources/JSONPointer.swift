/// JSON Pointers (RFC 6901), from a value to a part of it and back.
enum JSONPointer {
    /// The parts that a pointer passes on its way from `root`, itself first and the target last.
    ///
    /// Nil when the pointer leads nowhere.
    static func path(_ pointer: [UInt8], from root: JSONValue) -> [JSONValue]? {
        guard !pointer.isEmpty else { return [root] }
        guard pointer[0] == slash else { return nil }
        var path = [root]
        for token in pointer.dropFirst().split(separator: slash, omittingEmptySubsequences: false) {
            guard let child = child(token, of: path[path.count - 1]) else { return nil }
            path.append(child)
        }
        return path
    }

    private static func child(_ token: ArraySlice<UInt8>, of parent: JSONValue) -> JSONValue? {
        guard parent.kind == .array else {
            return unescaped(token).withUnsafeBufferPointer { parent.member($0) }
        }
        guard token.allSatisfy(\.isDigit), token.first != UInt8(ascii: "0") || token.count == 1,
            let index = Int(String(decoding: token, as: UTF8.self))
        else { return nil }
        return parent[index]
    }

    private static func unescaped(_ token: ArraySlice<UInt8>) -> [UInt8] {
        var name: [UInt8] = []
        var isEscape = false
        for byte in token {
            if isEscape {
                name.append(byte == UInt8(ascii: "1") ? slash : tilde)
                isEscape = false
            } else if byte == tilde {
                isEscape = true
            } else {
                name.append(byte)
            }
        }
        return name
    }

    fileprivate static func append(_ name: some Sequence<UInt8>, to pointer: inout [UInt8]) {
        for byte in name {
            switch byte {
            case tilde: pointer.append(contentsOf: "~0".utf8)
            case slash: pointer.append(contentsOf: "~1".utf8)
            default: pointer.append(byte)
            }
        }
    }

    fileprivate static let slash = UInt8(ascii: "/")
    private static let tilde = UInt8(ascii: "~")
}

extension JSONValue {
    /// The pointer from this value to one inside it; the name of a member counts as its object.
    ///
    /// Takes time in proportion to the siblings on the way, since a value does not know its parent.
    func pointer(to part: JSONValue) -> [UInt8] {
        var pointer: [UInt8] = []
        var container = self
        while container.index < part.index {
            var place = 0
            var next: JSONValue?
            if container.kind == .object {
                next = container.members.first { $0.value.end > part.index }?.value
            } else {
                for element in container.elements {
                    if element.end > part.index {
                        next = element
                        break
                    }
                    place += 1
                }
            }
            // The name of a member comes right before its value.
            guard let next, next.index <= part.index else { break }
            pointer.append(JSONPointer.slash)
            if container.kind == .object {
                JSONPointer.append(next.name.utf8, to: &pointer)
            } else {
                pointer.append(contentsOf: String(place).utf8)
            }
            container = next
        }
        return pointer
    }

    /// The name of a value that is known to be that of a member.
    var name: JSONStringContent { JSONStringContent(document: document, index: index - 1) }
}
