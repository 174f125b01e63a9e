#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One of the streams that a process is started with.
enum StandardStream: Int32 {
    case input, output, error

    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// How many columns the terminal has; `nil` where there is none or it does not tell.
    var width: Int? {
        var size = winsize()
        guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Puts `/dev/null` where the process was started without a stream, so that no file or socket
    /// that is opened later takes its place and is written to by mistake.
    static func fillGaps() {
        while true {
            let descriptor = open("/dev/null", O_RDWR)
            guard 0...2 ~= descriptor else {
                if descriptor > 2 { close(descriptor) }
                return
            }
        }
    }
}
