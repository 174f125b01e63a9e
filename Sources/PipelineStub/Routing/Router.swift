import PipelineCore
import PipelineJSON

/// Chooses the answer to a request.
///
/// Of the paths that match, the one with the most fixed octets is meant: `/users/me` before
/// `/users/{}`. Several examples of that method and path answer in turn, in the order of the file,
/// and start over after the last, so that a pipeline can be run again and again.
struct Router {
    private var groups: [Group] = []

    /// The examples of one method and path.
    private struct Group {
        let method: String
        let path: StubPath
        var routes: [StubRoute]
        var turn = 0

        var next: StubRoute { routes[turn] }

        mutating func takeTurn() -> StubRoute {
            defer { turn = (turn + 1) % routes.count }
            return next
        }
    }

    init(_ routes: [StubRoute]) {
        for route in routes {
            let known = groups.firstIndex { $0.method == route.method && $0.path == route.path }
            if let known {
                groups[known].routes.append(route)
            } else {
                groups.append(Group(method: route.method, path: route.path, routes: [route]))
            }
        }
    }

    /// The answer to a request, as if it were sent whole also for `HEAD`, and the name of the route
    /// that it comes from; `nil` for none.
    mutating func answer(_ request: StubRequest) -> (answer: StubAnswer, route: String?) {
        let path = StubPath.segments(ofTarget: request.target)
        let matching = groups.indices.filter { groups[$0].path.matches(path) }
        if let route = route(for: request.method, of: matching) {
            return (route.answer, route.name)
        }
        return (matching.isEmpty ? notFound(request) : notAllowed(request, matching), nil)
    }

    private mutating func route(for method: String, of matching: [Int]) -> StubRoute? {
        if let group = mostSpecific(of: matching, method: method) {
            return groups[group].takeTurn()
        }
        // HEAD tells what GET would answer (RFC 9110, section 9.3.2), and so does not take its turn.
        guard method == "HEAD" else { return nil }
        return mostSpecific(of: matching, method: "GET").map { groups[$0].next }
    }

    private func mostSpecific(of matching: [Int], method: String) -> Int? {
        matching.filter { groups[$0].method == method }
            // Not `max(by:)`, which gives the last of several equals.
            .reduce(nil as Int?) { best, candidate in
                guard let best else { return candidate }
                let isBetter = groups[candidate].path.fixedCount > groups[best].path.fixedCount
                return isBetter ? candidate : best
            }
    }

    private func notFound(_ request: StubRequest) -> StubAnswer {
        problem(404, "no example answers this path", request)
    }

    private func notAllowed(_ request: StubRequest, _ matching: [Int]) -> StubAnswer {
        var methods: [String] = []
        for method in matching.map({ groups[$0].method }) {
            for allowed in method == "GET" ? ["GET", "HEAD"] : [method]
            where !methods.contains(allowed) {
                methods.append(allowed)
            }
        }
        var answer = problem(405, "no example answers this method", request)
        answer.fields.append(HTTPField(name: "Allow", value: methods.joined(separator: ", ")))
        return answer
    }

    private func problem(_ status: Int, _ error: String, _ request: StubRequest) -> StubAnswer {
        let routes = groups.flatMap(\.routes).map { route -> JSONValue in
            [
                "name": JSONValue(route.name), "method": JSONValue(route.method),
                "path": JSONValue(route.path.description),
            ]
        }
        return StubAnswer(
            status: status,
            json: [
                "error": JSONValue(error), "method": JSONValue(request.method),
                "target": JSONValue(request.target), "routes": JSONValue(array: routes),
            ])
    }
}

extension StubAnswer {
    init(_ refusal: Refusal) {
        self.init(status: refusal.status, json: ["error": JSONValue(refusal.reason)])
    }

    fileprivate init(status: Int, json: JSONValue) {
        self.init(
            status: status, fields: ["Content-Type": "application/json"], body: json.serialized())
    }
}
