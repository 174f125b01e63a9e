public import Observation
public import PipelineCore
public import PipelineJSON

/// A pipeline as a view shows it: what runs, what is done, and why it failed.
///
/// ```swift
/// struct StartView: View {
///     @State private var model = PipelineModel()
///
///     var body: some View {
///         ProgressView(value: model.progress)
///         ForEach(model.requests) { Text("\($0.name): \($0.state.rawValue)") }
///         if let failure = model.failure { Text(failure) }
///         Button("Cancel") { model.cancel() }
///     }
/// }
/// ```
///
/// It changes on the main actor, event by event in the order in which they happened, and not any
/// more once ``result`` is set. Texts are without the secrets of the pipeline. A model may be used
/// for one run after the other; when another is begun, the one before is left alone and no longer
/// shown. A run goes on when its model is let go of.
@MainActor @Observable
public final class PipelineModel {
    /// The requests in the order of the file, those of `finally` last; empty before a run.
    public private(set) var requests: [Request] = []
    /// Whether a run has begun and not ended.
    public private(set) var isRunning = false
    /// The request that failed first and why, such as `profile: expected status 200, got 500`.
    public private(set) var failure: String?
    /// How the run went; `nil` until it has ended.
    public private(set) var result: RunResult?

    @ObservationIgnored private var run: PipelineRun?
    /// Shows what happens in the run.
    @ObservationIgnored private var following: Task<Void, Never>?

    /// A request of a pipeline, as far as it has come.
    public struct Request: Identifiable, Sendable {
        /// Its place in the pipeline, from 0 on.
        public let id: Int
        /// What reports call it.
        public let name: String
        /// Where it stands; `RequestState.new` also when it was cancelled before its turn.
        public fileprivate(set) var state: RequestState
        /// What became of it; `nil` until it has ended.
        public fileprivate(set) var outcome: RequestResult.Outcome?
    }

    /// A model without a run.
    public init() {}

    /// The requests that are in flight; one at most unless the pipeline sends several at once.
    public var runningRequests: [Request] {
        requests.filter { $0.state == .start }
    }

    /// How many requests have ended, cancelled and skipped ones included.
    public var endedCount: Int {
        requests.count { $0.outcome != nil }
    }

    /// ``endedCount`` as a part of all, from 0 to 1; 0 before a run.
    public var progress: Double {
        requests.isEmpty ? 0 : Double(endedCount) / Double(requests.count)
    }

    /// Starts a pipeline and shows it.
    ///
    /// - Parameters:
    ///   - pipeline: What is run.
    ///   - variables: Values by name; they replace those of the file.
    ///   - transport: What sends the requests; a new one for each run, because it keeps cookies.
    ///   - options: What differs from the file.
    /// - Throws: `PipelineError` when a value is missing or cannot be used; nothing is sent, and
    ///   the model stays as it is.
    public func start(
        _ pipeline: Pipeline, variables: [String: JSONValue] = [:], transport: any Transport,
        options: RunOptions = RunOptions()
    ) throws(PipelineError) {
        show(try pipeline.start(variables: variables, transport: transport, options: options))
    }

    /// Shows a run that was started elsewhere, from its first event on.
    public func show(_ run: PipelineRun) {
        following?.cancel()
        self.run = run
        requests = run.requests.enumerated().map { id, request in
            Request(
                id: id, name: request.name, state: .new,
                outcome: request.record == nil ? .skipped : nil)
        }
        isRunning = true
        failure = nil
        result = nil
        following = Task { [weak self] in
            for await event in run.events {
                // Cancelled when another run is shown, or the same one anew.
                guard let self, !Task.isCancelled else { return }
                handle(event, run)
            }
        }
    }

    /// Cancels the run that is shown; its requests of `finally` still run, see
    /// `PipelineRun.cancel()`.
    public func cancel() {
        run?.cancel()
    }

    private func handle(_ event: RunEvent, _ run: PipelineRun) {
        switch event {
        case .started(let request): update(request) { $0.state = .start }
        case .succeeded(let request): end(request, .success)
        case .failed(let request):
            end(request, .failed)
            if failure == nil, request.outcome == .failed, let error = request.error {
                failure = run.redacted("\(request.name): \(error.message)")
            }
        case .cancelled(let request): end(request, .new)
        // Shown from the beginning.
        case .skipped: break
        case .finished(let result):
            isRunning = false
            self.result = result
        }
    }

    private func end(_ request: RequestResult, _ state: RequestState) {
        update(request) {
            $0.state = state
            $0.outcome = request.outcome
        }
    }

    private func update(_ request: RequestResult, _ change: (inout Request) -> Void) {
        guard let position = request.record?.position else { return }
        change(&requests[position])
    }
}
