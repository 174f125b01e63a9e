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

    /// Whether a path to write to is this stream: `-`, or what leads to the same file or pipe, such
    /// as `/dev/stdout`.
    ///
    /// A device that is no terminal is not: it can be written to from several places.
    func isReached(by path: String) -> Bool {
        var (own, other) = (stat(), stat())
        if path == "-" { return true }
        guard fstat(rawValue, &own) == 0, stat(path, &other) == 0,
            own.st_dev == other.st_dev, own.st_ino == other.st_ino
        else { return false }
        return own.st_mode & S_IFMT != S_IFCHR || isTerminal
    }

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
