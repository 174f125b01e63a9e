import Testing

@testable import PipelineCore

@Suite("How the events of a run read", .timeLimit(.minutes(1)))
struct RunEventDescriptionTests {
    @Test func `each event is one line with its reason, and the last one counts`() async throws {
        let text = file(
            #"{ "name": "login", "url": "/login" }"#,
            #"{ "name": "off", "url": "/off", "enabled": false }"#,
            #"{ "name": "profile", "url": "/me", "expect": { "status": 200 } }"#,
            #"{ "name": "feed", "url": "/feed" }"#)
        let transport = ScriptedTransport { request in
            .respond(status: request.url.target == "/me" ? 401 : 200)
        }
        let run = try load(text).start(transport: transport)
        var lines: [String] = []
        for await event in run.events { lines.append("\(event)") }
        #expect(
            lines == [
                "started login", "succeeded login", "skipped off", "started profile",
                "failed profile: expected status 200, got 401 Unauthorized",
                "cancelled feed: cancelled by profile",
                "finished: 1 succeeded, 1 failed, 1 cancelled, 1 skipped",
            ])
        #expect("\(await run.result)" == "1 succeeded, 1 failed, 1 cancelled, 1 skipped")
    }
}
