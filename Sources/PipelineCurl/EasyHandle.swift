internal import CLibcurl
import PipelineCore

/// One of libcurl's easy handles, used for one exchange after another.
///
/// What never changes is set once, here; what a request says is set by `prepare` where it differs
/// from what the handle was told last.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    /// The exchange that the handle carries out; `nil` between two of them.
    var order: CurlExchange.Order?
    /// What came of the response's head.
    var head = HeadCollector()
    /// How often libcurl was about to send the request.
    var sendCount = 0
    /// Whether the receiver wanted no more of the body.
    var isRefused = false
    /// The bytes of the body that the receiver was given.
    var decodedSize = 0
    /// The body where libcurl asks for it piece by piece.
    var pieces: PieceReader?
    /// The failure that the handle is to find out more about; `nil` for one that carries out requests.
    var unexplained: UnexplainedFailure?

    /// What the handle was told last.
    var applied = Applied()
    var headerLines = StringList()
    var routeLines = StringList()
    var resolutionLines = StringList()
    /// Why libcurl did not accept an option, at the first time.
    private(set) var optionFailure = CURLE_OK
    /// Whether libcurl tells when it is about to send a request: since 7.80.
    private(set) var countsSends = false

    private let errorBuffer: UnsafeMutablePointer<CChar>
    private let cookies: CookieJar

    /// `nil` when libcurl has no memory left.
    init?(options: CurlTransport.Options, cookies: CookieJar) {
        guard let raw = curl_easy_init() else { return nil }
        self.raw = raw
        self.cookies = cookies
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setConstants(options)
        setCallbacks()
        if !isUsable {
            return nil
        }
    }

    deinit {
        curl_easy_cleanup(raw)
        errorBuffer.deallocate()
    }

    /// The object that belongs to a handle of libcurl's.
    static func owner(of raw: UnsafeMutableRawPointer?) -> EasyHandle? {
        var pointer: UnsafeMutableRawPointer?
        pipeline_curl_get_pointer(raw, CURLINFO_PRIVATE, &pointer)
        return pointer.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether the handle has all the options it was told, so that `applied` is true.
    var isUsable: Bool { optionFailure == CURLE_OK }

    /// Whether no byte of the request can have reached the server.
    var isBeforeSending: Bool {
        unexplained != nil
            || (countsSends ? sendCount == 0 : time(CURLINFO_PRETRANSFER_TIME_T) == 0)
    }

    /// libcurl's own description of the failure, without a full stop; empty when it gave none.
    var errorText: String {
        let text = String(cString: errorBuffer)
        // libcurl goes on with the address of the proxy, which may hold a password.
        if text.hasPrefix("Unsupported proxy") { return "the address of the proxy is malformed" }
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    func clearErrorText() {
        errorBuffer.pointee = 0
    }

    private func setConstants(_ options: CurlTransport.Options) {
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if Library.hasHTTP2 { set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS)) }
        // Twice as fast for large bodies as the usual 16 KiB, and no slower for small ones.
        set(CURLOPT_BUFFERSIZE, 262_144)
        // Empty: what this build can undo, and a cookie engine without a file.
        set(CURLOPT_ACCEPT_ENCODING, "")
        set(CURLOPT_COOKIEFILE, "")
        set(CURLOPT_USERAGENT, options.userAgent)
        note(pipeline_curl_allow_only_http(raw))
        note(pipeline_curl_abandon_lookups(raw))
        if let jar = cookies.raw {
            set(CURLOPT_SHARE, pointer: jar)
        }
    }
}

extension EasyHandle {
    func set(_ option: CURLoption, _ value: Int) {
        note(pipeline_curl_set_long(raw, option, value))
    }

    func set(_ option: CURLoption, _ value: String?) {
        note(pipeline_curl_set_string(raw, option, value))
    }

    func set(_ option: CURLoption, pointer: UnsafeRawPointer?) {
        note(pipeline_curl_set_pointer(raw, option, pointer))
    }

    func note(_ code: CURLcode) {
        if optionFailure == CURLE_OK {
            optionFailure = code
        }
    }

    /// A time since the start of the transfer, in microseconds.
    func time(_ info: CURLINFO) -> Int64 {
        offset(info)
    }

    func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        pipeline_curl_get_offset(raw, info, &value)
        return Int64(value)
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        pipeline_curl_get_long(raw, info, &value)
        return value
    }

    func text(_ info: CURLINFO) -> String {
        var value: UnsafePointer<CChar>?
        pipeline_curl_get_string(raw, info, &value)
        return value.map { String(cString: $0) } ?? ""
    }
}

extension EasyHandle {
    /// Sets what libcurl calls.
    ///
    /// The functions capture nothing: each gets this object, unretained,
    /// which outlives the transfer because the loop keeps it among the running ones.
    private func setCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        set(CURLOPT_PRIVATE, pointer: context)
        set(CURLOPT_ERRORBUFFER, pointer: errorBuffer)
        set(CURLOPT_HEADERDATA, pointer: context)
        set(CURLOPT_WRITEDATA, pointer: context)
        set(CURLOPT_READDATA, pointer: context)
        set(CURLOPT_SEEKDATA, pointer: context)
        note(
            pipeline_curl_set_function(raw, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                guard let context else { return 0 }
                let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return handle.receiveHeaderLine(line) ? line.count : 0
            })
        note(
            pipeline_curl_set_function(raw, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                guard let context else { return 0 }
                let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
                let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return handle.receiveBody(part) ? part.count : 0
            })
        note(
            pipeline_curl_set_function(raw, CURLOPT_READFUNCTION) { bytes, size, count, context in
                guard let context else { return Int(CURL_READFUNC_ABORT) }
                let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
                let part = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
                return handle.provideBody(part) ?? Int(CURL_READFUNC_ABORT)
            })
        note(
            pipeline_curl_set_seek(raw) { context, offset, origin in
                guard let context, offset == 0, origin == SEEK_SET else {
                    return CURL_SEEKFUNC_FAIL
                }
                Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue().pieces?.rewind()
                return CURL_SEEKFUNC_OK
            })
        let code = pipeline_curl_set_before_request(
            raw,
            { context, _, _, _, _ in
                guard let context else { return 1 }
                return Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue().maySend()
                    ? 0 : 1
            }, context)
        countsSends = code == CURLE_OK
    }

    private func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let order, !order.exchange.isCancelled else { return false }
        if head.take(line), !isAnswerToExpectation {
            reportHead(to: order)
        }
        return head.fault == nil && !order.exchange.isCancelled
    }

    private func receiveBody(_ part: UnsafeRawBufferPointer) -> Bool {
        guard let order, !order.exchange.isCancelled else { return false }
        reportHead(to: order)
        guard !order.exchange.isCancelled else { return false }
        decodedSize += part.count
        isRefused = !order.receiver.receiveBody(part.bytes)
        return !isRefused && !order.exchange.isCancelled
    }

    /// The next bytes of the request's body; `nil` to break off.
    private func provideBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard let order, !order.exchange.isCancelled else { return nil }
        return pieces?.read(into: buffer)
    }

    /// Whether libcurl may send the request, which it does again when a kept-alive connection is dead.
    ///
    /// That is allowed once, and only where it does no harm to be received twice.
    private func maySend() -> Bool {
        guard let order, !order.exchange.isCancelled else { return false }
        // Merely connects: nothing will be sent.
        guard unexplained == nil else { return true }
        guard sendCount == 0 || isAnswerToExpectation || (sendCount == 1 && applied.isIdempotent)
        else { return false }
        sendCount += 1
        head = HeadCollector()
        decodedSize = 0
        return true
    }

    /// Whether the server has refused an `Expect`, to which libcurl may react by a second request
    /// before anybody has seen the first one's answer.
    private var isAnswerToExpectation: Bool { head.status == 417 && sendCount == 1 }

    /// Reports the head unless that was done.
    func reportHead(to order: CurlExchange.Order) {
        if let head = head.takeHead() {
            order.receiver.receiveHead(head)
        }
    }
}
