import PipelineCore

/// The CI servers whose form of annotations is known.
enum AnnotationStyle: String, Sendable {
    case github, gitlab
}

extension Settings {
    /// What `--annotations` says.
    enum Annotations: String, CaseIterable, Sendable {
        case auto, github, gitlab, none
    }

    /// In which form failures are told; `nil` for none.
    var annotationStyle: AnnotationStyle? {
        switch annotations {
        case .none: return nil
        case .github: return .github
        case .gitlab: return .gitlab
        case .auto:
            // Both servers set theirs to `true` in every job.
            if Environment.value("GITHUB_ACTIONS") == "true" { return .github }
            return Environment.value("GITLAB_CI") == "true" ? .gitlab : nil
        }
    }
}
