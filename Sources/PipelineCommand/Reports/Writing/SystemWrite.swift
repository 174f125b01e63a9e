#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writing to files, which never makes a caller wait for a reader.
enum SystemWrite {
    /// Writes all of the bytes; returns why that cannot be done.
    static func all(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> String? {
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
                let count = write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                if count < 0 { return String(cString: strerror(errno)) }
                offset += count
            }
            return nil
        }
    }
}
