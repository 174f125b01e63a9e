import Foundation
import Observation
import PipelineCore
import PipelineFoundation
import PipelineJSON

// snippet: start-model
/// The start of an app: the requests of its pipeline file, and the screen that follows from them.
@MainActor @Observable
final class StartModel {
    /// The requests, one by one, as they are sent.
    let requests = PipelineModel()

    private let pipeline: Pipeline
    private let variables: [String: JSONValue]
    private let makeTransport: () -> any Transport

    /// - Parameter makeTransport: Called for each start, because a transport keeps its cookies.
    init(
        file: URL, variables: [String: JSONValue],
        transport makeTransport: @escaping () -> any Transport
    ) throws {
        pipeline = try Pipeline(contentsOf: file)
        self.variables = variables
        self.makeTransport = makeTransport
    }

    /// Sends the requests; again, when they were sent before.
    func start() throws {
        try requests.start(pipeline, variables: variables, transport: makeTransport())
    }

    /// What to show now.
    var screen: StartScreen {
        requests.result.map { StartScreen($0) } ?? .starting(requests.progress)
    }
}
// end
