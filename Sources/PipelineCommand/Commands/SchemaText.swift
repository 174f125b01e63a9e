import PipelineCore

/// What `schema` prints: `pipelines/pipeline.schema.json` is the same.
enum SchemaText {
    /// The JSON Schema of the file format, with a line break at its end.
    static var text: String { PipelineFormat.schema() }
}
