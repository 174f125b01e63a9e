import PipelineCore

/// Loads the text of a pipeline file.
func load(_ text: String) throws(PipelineError) -> Pipeline {
    try Pipeline(parsing: Array(text.utf8), name: "test.json")
}

/// Everything that is wrong with the text of a pipeline file, each as `line:column path: message`.
func problems(_ text: String) -> [String] {
    do {
        _ = try load(text)
        return []
    } catch {
        return error.diagnostics.map { diagnostic in
            let position = diagnostic.location.split(separator: ":").dropFirst()
            return position.joined(separator: ":") + " \(diagnostic.path): \(diagnostic.message)"
        }
    }
}

/// A file with these requests, and perhaps more keys before them.
func file(_ requests: String..., keys: String = "") -> String {
    """
    { "baseURL": "http://test", \(keys)
      "requests": [\(requests.joined(separator: ",\n"))] }
    """
}
