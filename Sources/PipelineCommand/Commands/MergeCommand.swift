import PipelineCore

/// Joins the JUnit or JSON reports of several runs, such as those of shards.
struct MergeCommand {
    let settings: Settings
    let console: Console

    func perform() -> ExitCode {
        do throws(UsageError) {
            let inputs = try inputs()
            let path = settings.outputPath ?? "-"
            // Found out first, as before a run.
            let target = try ReportTarget(path)
            if let input = inputs.first(where: target.isFile) {
                throw UsageError("\(input) is both a report to be joined and the one to be written")
            }
            let text = try merge(inputs)
            let failure = target.write(until: Interruption()) { $0.write(text) }
            guard let failure else { return .success }
            let name = path == "-" ? "standard output" : path
            console.report(error: "the joined report could not be written to \(name): \(failure)")
            return .output
        } catch {
            console.report(error: error.message)
            return .usage
        }
    }

    private func inputs() throws(UsageError) -> [String] {
        var paths: [String] = []
        for operand in settings.operands {
            do throws(UsageError) {
                paths += try NamedPaths.files(operand)
            } catch {
                throw UsageError("\(operand): \(error.message)")
            }
        }
        return paths
    }

    private func merge(_ paths: [String]) throws(UsageError) -> [UInt8] {
        var xml = JUnitMerge()
        var json = JSONMerge()
        var first: (path: String, kind: ReportKind)?
        for path in paths {
            let bytes = try Self.read(path)
            let kind = try Self.kind(of: bytes, path)
            if let first, first.kind != kind {
                throw UsageError(
                    "\(first.path) is a \(first.kind.title) report and \(path) a \(kind.title) "
                        + "report: reports of one kind can be joined")
            }
            first = first ?? (path, kind)
            if kind == .json {
                do throws(UsageError) {
                    try json.add(bytes)
                } catch {
                    throw UsageError("\(path): \(error.message)")
                }
            } else {
                do throws(XMLScanner.Failure) {
                    try xml.add(bytes)
                } catch {
                    throw UsageError("\(path):\(error.line): \(error.message)")
                }
            }
        }
        return first?.kind == .json ? json.text() : xml.text()
    }

    private static func read(_ path: String) throws(UsageError) -> [UInt8] {
        do {
            return path == "-"
                ? try FileBytes.read(StandardStream.input.rawValue, limit: sizeLimit)
                : try FileBytes.read(path, limit: sizeLimit)
        } catch {
            throw UsageError("\(path): \(error.message)")
        }
    }

    /// 1 GiB, what the parser of JSON takes.
    private static let sizeLimit = 1 << 30

    private static func kind(of bytes: [UInt8], _ path: String) throws(UsageError) -> ReportKind {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        switch start.first(where: { !" \t\r\n".utf8.contains($0) }) {
        case UInt8(ascii: "<"): return .junit
        case UInt8(ascii: "{"): return .json
        default: throw UsageError("\(path) is neither a JUnit nor a JSON report")
        }
    }
}
