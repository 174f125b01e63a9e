extension String {
    /// The text as a message quotes it: cut when it is long, so that the message stays readable.
    var shortened: String {
        utf8.count > 80 ? String(prefix(60)) + "…" : self
    }
}
