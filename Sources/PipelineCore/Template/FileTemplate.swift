/// A file that a request names, as the pipeline file writes it.
struct FileTemplate: Sendable {
    let path: Template
    let place: SourcePlace

    /// The file, to be read: its real path and its size.
    ///
    /// - Throws: That it is missing, no file, or outside the file root.
    func readable(
        _ values: VariableValues, _ files: FileRoot
    ) throws(TemplateError) -> (path: String, size: Int) {
        let path = try path.render(values)
        do {
            let real = try files.resolve(path)
            return (real, try FileBytes.size(real, named: path))
        } catch {
            throw TemplateError(message: error.message, place: place)
        }
    }

    /// The path of the file, to be written: in a folder that is there, under the file root.
    func writable(
        _ values: VariableValues, _ files: FileRoot
    ) throws(TemplateError) -> String {
        do {
            return try files.resolveForWriting(try path.render(values))
        } catch let error as FileBytes.Failure {
            throw TemplateError(message: error.message, place: place)
        } catch let error as TemplateError {
            throw error
        } catch {
            throw TemplateError(message: "\(error)", place: place)
        }
    }
}
