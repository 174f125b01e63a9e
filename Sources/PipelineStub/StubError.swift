/// Why a route or a server could not be made.
public struct StubError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of problem it is, for programs.
    public let code: Code
    /// What was expected and what was found: one sentence without a full stop.
    public let message: String

    /// The message.
    public var description: String { message }

    /// A problem of this kind.
    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The kinds of problem.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// An example cannot be sent as an HTTP response; the message names the route and the part.
        case invalidRoute
        /// The server cannot listen: the port is taken or out of range, or the system has no
        /// descriptor or thread left.
        case cannotListen
    }
}
