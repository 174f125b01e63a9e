import PipelineCore

extension Settings.Choice {
    /// Whether to colour what goes to a stream.
    func allowsColor(on stream: StandardStream) -> Bool {
        decide { Environment.value("NO_COLOR") ?? "" == "" && Self.isInteractive(stream) }
    }

    /// Whether to show what is running on a stream.
    func allowsProgress(on stream: StandardStream) -> Bool {
        decide { Self.isInteractive(stream) }
    }

    private func decide(_ automatic: () -> Bool) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: automatic()
        }
    }

    private static func isInteractive(_ stream: StandardStream) -> Bool {
        stream.isTerminal && Environment.value("CI") ?? "" == ""
            && Environment.value("TERM") != "dumb"
    }
}
