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

    /// What is on its way from an address is as it was before a change: it is not stored, and new
    /// requests do not join it.
    func forbidStoring(_ url: HTTPURL) {
        let address = CacheKey.address(url)
        let affected = fetches.withLock { fetches in
            let affected = fetches.values.filter { CacheKey.address($0.request.url) == address }
            for fetch in affected { fetches[fetch.request] = nil }
            return affected
        }
        for fetch in affected { fetch.forbidStoring() }
    }
}
