import PipelineCore
import Synchronization

/// The one way to the outside: results to standard output, messages to standard error.
///
/// Whatever is written was masked and made harmless here. May be used from any thread.
final class Console: Sendable {
    private let state: Mutex<State>

    // Written to under the lock: keeping lines apart is what the lock is for.
    fileprivate struct State {
        var results: Channel
        var messages: Channel
        var safe = SafeText(nil)
        var live = Live.hidden
        var hasReportedFailure = false
        /// Where text goes instead of to the streams; `nil` for a console of its own.
        var parent: Console?
        /// What waits to go there; `nil` once it goes there at once.
        var held: [Text]?
    }

    /// Where the line of what is running is.
    fileprivate enum Live {
        case hidden, shown
        /// Off the screen for good.
        case over
    }

    /// Text that is ready to be written.
    fileprivate struct Text {
        let isResult: Bool
        let bytes: [UInt8]
    }

    /// One stream and whether it is coloured.
    fileprivate struct Channel {
        var output: Output
        let isColored: Bool
    }

    /// The streams of the process, coloured as asked for.
    ///
    /// - Parameter results: Where results go; standard output unless something else needs that.
    init(color: Settings.Choice, results: StandardStream = .output) {
        state = Mutex(
            State(
                results: Channel(
                    output: Output(results.rawValue),
                    isColored: color.allowsColor(on: results)),
                messages: Channel(
                    output: Output(StandardStream.error.rawValue),
                    isColored: color.allowsColor(on: .error))))
    }

    /// Masks what this run keeps secret from now on, instead of what the run before did.
    func mask(with redactor: Redactor) {
        state.withLock { $0.safe = SafeText(redactor) }
    }

    /// Gives up, once that has come, on a reader who does not read.
    func heed(_ interruption: Interruption) {
        state.withLock { state in
            state.results.output.interruption = interruption
            state.messages.output.interruption = interruption
        }
    }

    /// Prints results.
    func print(_ lines: [Line]) {
        state.withLock { state in
            state.write(
                Text(isResult: true, bytes: state.results.encoded(lines, state.safe)))
        }
    }

    /// Prints text as it is: without secrets, and made harmless by whoever made it.
    func print(verbatim text: String) {
        state.withLock { $0.write(Text(isResult: true, bytes: Array(text.utf8))) }
    }

    /// Prints warnings and errors that are about the command line or a file.
    func report(_ lines: [Line]) {
        state.withLock { state in
            state.write(
                Text(isResult: false, bytes: state.messages.encoded(lines, state.safe)))
        }
    }

    /// Prints one error about the command line or a file.
    func report(error message: String) {
        report([.error(message)])
    }

    private init(_ state: consuming State) {
        self.state = Mutex(state)
    }

    /// A console whose text is kept until ``release()``, for what runs beside something else.
    func makeHeld() -> Console {
        let own = state.withLock { ($0.results.isColored, $0.messages.isColored) }
        return Console(
            State(
                results: Channel(
                    output: Output(StandardStream.output.rawValue), isColored: own.0),
                messages: Channel(
                    output: Output(StandardStream.error.rawValue), isColored: own.1),
                parent: self, held: []))
    }

    /// Shows what was kept, and from now on everything at once.
    func release() {
        state.withLock { state in
            let held = state.held ?? []
            state.held = nil
            for text in held { state.parent?.write(text) }
        }
    }

    /// Writes what another console kept.
    fileprivate func write(_ text: Text) {
        state.withLock { $0.write(text) }
    }

    /// Draws what is running below everything else, in place of what was drawn there before.
    ///
    /// - Parameter line: The line, in no more than so many columns; `nil` for none.
    func draw(_ line: (_ width: Int) -> Line?) {
        state.withLock { $0.draw(line) }
    }

    /// Takes what is running off the screen.
    func erase() {
        state.withLock { $0.erase() }
    }

    /// The same for good, unless somebody who is writing would have to be waited for.
    func eraseForGood() {
        _ = state.withLockIfAvailable { state in
            state.erase()
            state.live = .over
        }
    }

    /// Whether something could not be written, other than to a reader who had enough.
    var hasFailed: Bool { state.withLock { $0.hasReportedFailure } }
}

extension Console.State {
    fileprivate mutating func write(_ text: Console.Text) {
        guard let parent else {
            erase()
            if text.isResult {
                results.output.write(text.bytes)
                reportFailure()
            } else {
                messages.output.write(text.bytes)
            }
            return
        }
        if held == nil { parent.write(text) } else { held?.append(text) }
    }

    fileprivate mutating func erase() {
        guard live == .shown else { return }
        messages.output.write(Array(LiveLine.erasing.utf8))
        live = .hidden
    }

    fileprivate mutating func draw(_ line: (_ width: Int) -> Line?) {
        guard live != .over else { return }
        // Asked for each time, since a window changes. The last column stays free: a terminal may
        // take a line that fills it for a longer one.
        guard let line = line((StandardStream.error.width ?? 80) - 1) else { return erase() }
        messages.output.write(Array(LiveLine.drawing(messages.encoded(line, safe)).utf8))
        live = .shown
    }

    /// Says once why the results are not complete.
    fileprivate mutating func reportFailure() {
        guard case .failed(let reason) = results.output.state, !hasReportedFailure else { return }
        hasReportedFailure = true
        let lines = [Line.error("standard output could not be written: \(reason)")]
        messages.output.write(messages.encoded(lines, safe))
    }
}

extension Console.Channel {
    fileprivate func encoded(_ lines: [Line], _ safe: SafeText) -> [UInt8] {
        Array(lines.map { encoded($0, safe) + "\n" }.joined().utf8)
    }

    fileprivate func encoded(_ line: Line, _ safe: SafeText) -> String {
        line.spans.map { span in
            let text = safe(span.text)
            guard isColored, let code = span.style.code, !text.isEmpty else { return text }
            return "\u{1B}[\(code)m\(text)\u{1B}[0m"
        }.joined()
    }
}

extension Line {
    /// `error: ` and what is wrong.
    static func error(_ message: String) -> Line {
        Line("error: ", .failure) + Line(message, .bold)
    }

    /// `warning: ` and what to look out for.
    static func warning(_ message: String) -> Line {
        Line("warning: ", .warning) + Line(message)
    }
}

extension Console {
    /// What the state of the output means for the exit code.
    var exitCode: ExitCode { hasFailed ? .output : .success }
}
