import PipelineCore

extension Certificate {
    /// Reads what libcurl tells of a certificate: lines such as `Subject:CN = test`.
    ///
    /// `nil` when a part is missing, or when the date has a form that is not known.
    init?(libcurlLines lines: [String]) {
        func value(_ name: String) -> String? {
            lines.first { $0.hasPrefix("\(name):") }.map { String($0.dropFirst(name.count + 1)) }
        }
        guard let subject = value("Subject"), let issuer = value("Issuer"),
            let expires = value("Expire date").flatMap(Self.dateTime)
        else { return nil }
        self.init(subject: subject, issuer: issuer, expires: expires)
    }

    /// A date as TLS libraries write it, as RFC 3339 does.
    ///
    /// OpenSSL has `Nov 30 07:58:22 2027 GMT`; for GnuTLS and others libcurl itself writes
    /// `2027-11-30 07:58:22 GMT`.
    static func dateTime(_ text: String) -> String? {
        let words = text.split(separator: " ")
        guard words.last == "GMT" else { return nil }
        let dateTime: String
        switch words.count {
        case 3:
            dateTime = "\(words[0])T\(words[1])Z"
        case 5:
            guard let month = months.firstIndex(of: String(words[0])) else { return nil }
            dateTime =
                "\(words[3])-\(twoDigits("\(month + 1)"))-\(twoDigits(words[1]))T\(words[2])Z"
        default:
            return nil
        }
        return Moment(rfc3339: dateTime).map { _ in dateTime }
    }

    private static func twoDigits(_ number: some StringProtocol) -> String {
        number.utf8.count == 1 ? "0\(number)" : "\(number)"
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
