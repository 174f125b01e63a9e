import Testing

@testable import PipelineCore

@Suite("Running a part of a pipeline")
struct RequestSelectionTests {
    private static let text = """
        {
          "baseURL": "http://test",
          "variables": { "page": "1" },
          "requests": [
            { "name": "login", "url": "/login", "captures": { "token": "$.token" } },
            { "name": "config", "url": "/config", "captures": { "page": "$.page" } },
            { "name": "off", "url": "/off", "enabled": false },
            { "name": "feed", "url": "/feed/{{page}}", "headers": { "X-Token": "{{token}}" } },
            { "name": "ads", "url": "/ads/{{page}}" }
          ],
          "finally": [
            { "name": "logout", "url": "/logout/{{token}}" },
            { "name": "trace", "url": "/trace" }
          ]
        }
        """

    private static func selection(
        from first: String? = nil, to last: String? = nil, only: [String] = []
    ) -> RequestSelection {
        var selection = RequestSelection()
        selection.first = first
        selection.last = last
        selection.only = only
        return selection
    }

    private func message(_ selection: RequestSelection) throws -> String {
        let pipeline = try load(Self.text)
        let error = #expect(throws: PipelineError.self) {
            _ = try pipeline.positions(of: selection)
        }
        return try #require(error).diagnostics.map(\.message).joined(separator: "\n")
    }

    @Test(
        "Ranges and names say what takes part, and finally cleans up what was made",
        arguments: [
            (selection(), [0, 1, 3, 4, 5, 6]),
            (selection(from: "login"), [0, 1, 3, 4, 5, 6]),
            (selection(to: "config"), [0, 1, 5, 6]),
            (selection(from: "config", to: "config"), [1, 6]),
            (selection(from: "off", to: "off"), [6]),
            (selection(from: "ads"), [4, 6]),
            (selection(only: ["ads"]), [4]),
            (selection(only: ["ads", "login", "ads"]), [0, 4]),
            (selection(only: ["login", "logout"]), [0, 5]),
        ])
    func selected(_ selection: RequestSelection, _ positions: [Int]) throws {
        #expect(try load(Self.text).positions(of: selection).sorted() == positions)
    }

    @Test("What cannot be selected is told with the nearest name")
    func refused() throws {
        #expect(
            try message(Self.selection(from: "confg"))
                == "there is no request \"confg\"; did you mean \"config\"?")
        #expect(
            try message(Self.selection(from: "feed", to: "login"))
                == "\"feed\" comes after \"login\": there is nothing between them")
        #expect(try message(Self.selection(to: "trace")).contains("is a request of finally"))
        #expect(try message(Self.selection(only: ["off"])) == "the request \"off\" is not enabled")
    }

    @Test("A request whose capture is left out is named, with what captures it")
    func missingCapture() throws {
        #expect(
            try message(Self.selection(from: "config"))
                == "\"feed\" needs {{token}}, which \"login\" captures, and that is left out; "
                + "select it too, or declare \"token\" in \"variables\" and give it a value")
        #expect(
            try message(Self.selection(only: ["logout"])).contains("\"logout\" needs {{token}}"))
    }

    @Test(
        "Requests left out are reported as skipped, and nothing of them is sent",
        .timeLimit(.minutes(1)))
    func run() async throws {
        let transport = ScriptedTransport { _ in .respond(body: #"{"token":"t"}"#) }
        var options = RunOptions()
        options.selection = Self.selection(to: "login")
        let run = try load(Self.text).start(transport: transport, options: options)
        var events: [String] = []
        for await event in run.events { events.append("\(event)") }
        #expect(
            events == [
                "started login", "succeeded login", "skipped config", "skipped off",
                "skipped feed", "skipped ads", "started logout", "succeeded logout",
                "started trace", "succeeded trace", "finished: 3 succeeded, 4 skipped",
            ])
        #expect(transport.requests.map(\.url.target) == ["/login", "/logout/t", "/trace"])
    }

    @Test("A selection that cannot work is refused before anything is sent")
    func nothingSent() throws {
        let transport = ScriptedTransport { _ in .respond(body: "{}") }
        var options = RunOptions()
        options.selection = Self.selection(from: "feed")
        #expect(throws: PipelineError.self) {
            _ = try load(Self.text).start(transport: transport, options: options)
        }
        #expect(transport.requests.isEmpty)
    }
}
