import PipelineCore
import PipelineFoundation

// snippet: start-screen
/// The screens that an app can begin with.
enum StartScreen: Equatable {
    /// So much of the start is done, from 0 to 1.
    case starting(Double)
    /// All requests succeeded.
    case home(Profile)
    /// This request failed, and with it the start.
    case retry(failed: String)

    struct Profile: Decodable, Equatable {
        var name: String
    }

    /// The screen that a start ends with.
    init(_ result: RunResult) {
        if result.isSuccess, let profile = try? result.decode(Profile.self, from: "profile") {
            self = .home(profile)
        } else {
            let culprit = result.requests.first { $0.outcome == .failed }
            self = .retry(failed: culprit?.name ?? "profile")
        }
    }
}
// end
