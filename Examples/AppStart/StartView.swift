#if canImport(SwiftUI)
    import SwiftUI

    /// Shows what its model says, and nothing else: everything that can go wrong is tested without it.
    struct StartView: View {
        @State var model: StartModel
        @State private var problem: String?

        var body: some View {
            Group {
                switch model.screen {
                case .starting(let progress):
                    ProgressView(value: progress)
                    Text(problem ?? model.requests.runningRequests.first?.name ?? "")
                case .home(let profile):
                    Text("Hello, \(profile.name)")
                case .retry:
                    Text(model.requests.failure ?? "The app could not start")
                    Button("Try again", action: start)
                }
            }
            .task { start() }
        }

        private func start() {
            do {
                try model.start()
            } catch {
                problem = "\(error)"
            }
        }
    }
#endif
