/// What a ``StubServer`` does wrong with one request, on purpose.
public enum StubFault: Sendable, Hashable {
    /// Answers with this status and without content.
    case status(Int)
    /// Answers as it should, but so much later.
    case delay(Duration)
    /// Closes the connection without an answer.
    ///
    /// A client that finds a kept connection closed may send an idempotent request again on a new
    /// one (RFC 9112, section 9.3.1); that is dropped as well, and not counted. Another method's
    /// request that comes again was sent by the app, and is answered.
    case drop
    /// Announces one byte more than it sends, and closes the connection.
    ///
    /// An answer that has no content by its status, such as 204, or by the method HEAD, does not
    /// come at all, as with ``drop``.
    case cutShort
}
