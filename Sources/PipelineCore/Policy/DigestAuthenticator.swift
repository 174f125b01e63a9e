import Synchronization

/// Answers the challenges of digest authentication (RFC 7616), and later ones before they are made.
///
/// The first request of a run meets a challenge and is sent again with the answer. Those that follow
/// are answered in advance, with the same nonce and a count that grows.
struct DigestAuthenticator: RequestAuthenticator {
    let credentials: DigestCredentials
    let session: Session

    /// What a server asked for last, shared by all requests of a run with the same credentials.
    final class Session: Sendable {
        private let state = Mutex(State())

        private struct State {
            var challenge: DigestChallenge?
            var count = 0
        }

        /// Remembers a challenge, unless it is the one that is there.
        func begin(_ challenge: DigestChallenge) {
            state.withLock { state in
                guard state.challenge?.nonce != challenge.nonce else { return }
                state = State(challenge: challenge)
            }
        }

        /// The challenge, and how often it was answered, this time included.
        func next() -> (challenge: DigestChallenge, count: Int)? {
            state.withLock { state in
                guard let challenge = state.challenge else { return nil }
                state.count += 1
                return (challenge, state.count)
            }
        }
    }

    func authorize(_ request: inout HTTPRequest) {
        guard let (challenge, count) = session.next() else { return }
        request.fields["Authorization"] = credentials.authorization(
            for: challenge, method: request.method, target: request.url.target, nonceCount: count,
            cnonce: GeneratedValue.uuid())
    }

    /// An answer that is refused with the same nonce means that the credentials are wrong.
    ///
    /// Another request may have met the new nonce first: what counts is the one that was sent.
    func accepts(
        challenge head: HTTPResponse.Head, to request: HTTPRequest, isRepeated: Bool
    ) -> Bool {
        let lines = head.fields.values(of: "WWW-Authenticate")
        guard let challenge = DigestChallenge.strongest(in: lines) else { return false }
        session.begin(challenge)
        let proof = request.fields["Authorization"] ?? ""
        let isNew = !proof.contains("nonce=\(quotedString(challenge.nonce)),")
        return challenge.isStale || isNew && !isRepeated
    }
}

/// The digest sessions of a run: one for each origin and pair of credentials.
final class DigestSessions: Sendable {
    private let sessions = Mutex<[Key: DigestAuthenticator.Session]>([:])

    private struct Key: Hashable {
        let origin: Origin
        let credentials: DigestCredentials
    }

    /// The session that is there, or a new one.
    func session(
        at origin: Origin, for credentials: DigestCredentials
    ) -> DigestAuthenticator.Session {
        sessions.withLock { sessions in
            let key = Key(origin: origin, credentials: credentials)
            let session = sessions[key] ?? DigestAuthenticator.Session()
            sessions[key] = session
            return session
        }
    }
}
