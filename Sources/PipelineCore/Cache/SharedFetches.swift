import Synchronization

/// The fetches under way that requests can join.
final class SharedFetches: Sendable {
    private let fetches = Mutex<[HTTPRequest: SharedFetch]>([:])

    /// Joins the fetch of an equal request, or begins one.
    func join(
        _ request: HTTPRequest, _ waiter: FetchWaiter, _ context: CachingTransport.Context
    ) -> any Exchange {
        let new = fetches.withLock { fetches -> SharedFetch? in
            if fetches[request]?.join(waiter) == true { return nil }
            let fetch = SharedFetch(request, waiter, context)
            fetches[request] = fetch
            return fetch
        }
        new?.begin()
        return waiter
    }

    /// Nobody joins it any more.
    func remove(_ fetch: SharedFetch) {
        fetches.withLock { fetches in
            if fetches[fetch.request] === fetch { fetches[fetch.request] = nil }
        }
    }
}
