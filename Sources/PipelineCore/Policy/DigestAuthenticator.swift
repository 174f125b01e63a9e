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

        /// Remembers a challenge; returns whether it is a new one.
        func begin(_ challenge: DigestChallenge) -> Bool {
            state.withLock { state in
                guard state.challenge?.nonce != challenge.nonce || state.count == 0 else {
                    return false
                }
                state = State(challenge: challenge)
                return true
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

    /// A nonce that was just used and is asked for again means that the credentials are wrong.
    func accepts(challenge head: HTTPResponse.Head, to request: HTTPRequest) -> Bool {
        let lines = head.fields.values(of: "WWW-Authenticate")
        guard let challenge = DigestChallenge.strongest(in: lines) else { return false }
        let wasAnswered = request.fields["Authorization"]?.hasPrefix("Digest ") ?? false
        return session.begin(challenge) || !wasAnswered
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
