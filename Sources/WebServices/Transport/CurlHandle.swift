#if os(Linux)
  internal import CurlShim
  import Foundation

  /// An easy handle of libcurl with its memory, used for one transfer after the other. Call `prepare(_:)` before a
  /// transfer and `clear()` after it. Only the thread that drives libcurl uses a handle.
  ///
  /// Options that are the same for all transfers are set once. Header fields are set when they differ from those of the
  /// transfer before.
  final class CurlHandle {
    let easy: UnsafeMutableRawPointer
    /// Unowned, because the loop retains its handles until `tearDown()`; unsafe, because each line of a response uses
    /// the loop, and a check costs as much as the line.
    unowned(unsafe) let loop: CurlLoop
    /// The running transfer; `nil` after `clear()`.
    @exclusivity(unchecked) var transfer: CurlTransfer?
    /// The last connection that libcurl has named for the transfer: its descriptor, or -1, and its number.
    @exclusivity(unchecked) var watched = (descriptor: Int32(-1), connection: 0)
    /// The connection that the transfer has left open.
    @exclusivity(unchecked) var descriptor: Int?
    /// The error of the last call that opened no socket; 0 for none.
    @exclusivity(unchecked) var socketError: Int32 = 0

    /// Whether libcurl has begun to look a name up. A request over a kept or shared connection, or one that libcurl
    /// lets wait for a connection, needs no look-up yet.
    @exclusivity(unchecked) var hasBegunLookup = false
    /// Whether bytes followed the response that libcurl hasn't read.
    @exclusivity(unchecked) var hasUnreadTLS = false
    /// Whether libcurl closes the connection after the response.
    @exclusivity(unchecked) var forbidsReuse = false

    /// libcurl writes up to 256 bytes here (CURL_ERROR_SIZE).
    let errorBuffer: UnsafeMutablePointer<CChar>
    /// The header fields that `headerList` was made of.
    private var headers: (fields: HTTPHeaders, shape: CurlRequestPlan.Shape)?
    private var headerList: OpaquePointer?
    /// The options that differ between transfers, but seldom from those of the transfer before.
    private struct Options: Equatable {
      let proxy: String
      /// Whether libcurl waits for a connection that is being opened, and may be shared.
      let waitsForConnection: Bool
      let connectTimeout: UInt64?
      let needsProgress: Bool
      let needsFreshConnection: Bool
      let shape: CurlRequestPlan.Shape
      let method: HTTPMethod
      /// The path and the query where libcurl would change those of the URL.
      let target: String?
    }
    private var options: Options?
    var resolveList: OpaquePointer?
    /// The first option that libcurl refused. Nothing is sent on this handle then, and it isn't used again.
    private(set) var refusal: TransportError?

    init?(loop: CurlLoop) {
      guard let easy = curlShimEasyInit() else { return nil }
      self.easy = easy
      self.loop = loop
      errorBuffer = .allocate(capacity: 256)
      errorBuffer.initialize(repeating: 0, count: 256)
      setUp()
    }

    deinit {
      // libcurl refers to the lists and the buffer until the easy handle is freed.
      curlShimEasyCleanup(easy)
      curlShimListFree(headerList)
      curlShimListFree(resolveList)
      errorBuffer.deallocate()
    }

    // MARK: For each transfer

    /// Sets the options that differ from the transfer before.
    func prepare(_ transfer: CurlTransfer) {
      self.transfer = transfer
      watched = (-1, 0)
      (hasUnreadTLS, hasBegunLookup, socketError) = (false, false, 0)
      errorBuffer.pointee = 0
      let plan = transfer.plan
      set(curlOptionURL, plan.target?.text)
      // From 8.21 on, libcurl writes the digits of escapes in capital letters, and a signature may cover them as they
      // are. A proxy for `http` needs the whole URL, so libcurl makes that target.
      var target: String?
      if let url = plan.target, url.text.withCString({ strchr($0, Int32(UInt8(ascii: "%"))) != nil }),
        url.origin.isSecure || transfer.origin?.proxy.isEmpty != false
      {
        target = String(url.pathAndQuery)
      }
      let options = Options(
        proxy: transfer.origin?.proxy ?? "", waitsForConnection: transfer.origin?.isShared != false,
        connectTimeout: plan.connectTimeout,
        // Where uploads share a connection, only libcurl's count says which of them is active.
        needsProgress: transfer.request.onProgress != nil || !loop.hasPrerequest
          || plan.shape == .sending && loop.mayMultiplex(transfer),
        needsFreshConnection: loop.needsFreshConnection(transfer), shape: plan.shape, method: transfer.request.method,
        target: target)
      if options != self.options { set(options) }
      setHeaders(transfer.request.headers, shape: plan.shape)
      if plan.shape == .sending { setBody(transfer) }
    }

    /// Releases the transfer, and libcurl's copy of its body.
    func clear() {
      transfer = nil
      descriptor = nil
      if options?.shape == .sending { setPointer(curlOptionPostFields, nil) }
    }

    private func set(_ options: Options) {
      self.options = options
      set(curlOptionProxy, options.proxy)
      set(curlOptionPipeWait, options.waitsForConnection ? 1 : 0)
      // The loop keeps the timeout, because libcurl until 7.86 would wait for a look-up then. libcurl divides its own
      // among the addresses of a host. It takes no more than 24 days, and for 0 five minutes.
      set(curlOptionConnectTimeout, Int(min((options.connectTimeout ?? .max) / 1_000_000, 0x7FFF_0000) + 1000))
      set(curlOptionNoProgress, options.needsProgress ? 0 : 1)
      set(curlOptionFreshConnect, options.needsFreshConnection ? 1 : 0)
      // CURLOPT_HTTPGET and CURLOPT_POST also undo the CURLOPT_NOBODY of the transfer before.
      let (option, implied): (Int, HTTPMethod) =
        switch options.shape {
        case .plain: (curlOptionHTTPGet, .get)
        case .headOnly: (curlOptionNoBody, .head)
        case .sending: (curlOptionPost, .post)
        }
      set(option, 1)
      // `nil` removes the method of the transfer before.
      set(curlOptionCustomMethod, options.method == implied ? nil : options.method.rawValue)
      set(curlOptionRequestTarget, options.target)
    }

    /// Sets the lines after the request line. libcurl writes the length and the framing itself, so that they can't be
    /// wrong. In its syntax `Name;` sends an empty value, and `Name:` keeps libcurl from adding the field.
    private func setHeaders(_ fields: HTTPHeaders, shape: CurlRequestPlan.Shape) {
      if let headers, headers.shape == shape, headers.fields == fields { return }
      var list: OpaquePointer?
      for field in fields where !field.isFraming {
        // Before libcurl 7.80, nothing keeps it from sending the request again after a 417 to this field.
        if !loop.hasPrerequest, field.name.equalsIgnoringASCIICase("Expect") { continue }
        append(field.isBlank ? field.name + ";" : field.name + ": " + field.value, to: &list, of: curlOptionHeaders)
      }
      if fields["Accept-Encoding"] == nil {
        // Servers ignore a range if they may compress, and a part of compressed content can't be decoded alone.
        let codings = fields["Range"] == nil ? ContentCoding.accepted : "identity"
        if let codings { append("Accept-Encoding: " + codings, to: &list, of: curlOptionHeaders) }
      }
      if shape == .sending {
        // Without these libcurl would declare any body a form, and would wait for a 100 before it sends a large one.
        if fields["Content-Type"] == nil { append("Content-Type:", to: &list, of: curlOptionHeaders) }
        if fields["Expect"] == nil || !loop.hasPrerequest { append("Expect:", to: &list, of: curlOptionHeaders) }
      }
      setPointer(curlOptionHeaders, UnsafeRawPointer(list))
      // libcurl referred to the old list until now.
      curlShimListFree(headerList)
      headerList = list
      headers = (fields, shape)
    }

    /// A short body is copied and sent with the head; a long one is read piece by piece.
    private func setBody(_ transfer: CurlTransfer) {
      // The size comes first, because CURLOPT_COPYPOSTFIELDS copies as many bytes. With -1 libcurl sends chunks.
      let length = transfer.bodyLength ?? -1
      note(curlOptionPostFieldSize, curlShimEasySetOffset(easy, Int32(curlOptionPostFieldSize), length))
      // Without a copy libcurl calls `read(into:)`.
      guard let short = transfer.request.body.data, short.count <= CurlHandle.copyLimit else { return }
      // An empty `Data` may have no address, and for a null pointer libcurl would call `read(into:)`.
      guard !short.isEmpty else { return set(curlOptionCopyPostFields, "") }
      short.withUnsafeBytes { setPointer(curlOptionCopyPostFields, $0.baseAddress) }
    }

    /// Below the 64 KB up to which libcurl sends a copied body and the head with one call of the system.
    private static let copyLimit = 32 * 1024

    /// The size of the buffer from which libcurl sends a longer body. Each filling costs a turn of the loop and a call
    /// of the system, and a short body touches little of the memory.
    static let uploadBufferSize = 1024 * 1024

    // MARK: Typed setters

    func set(_ option: Int, _ value: Int) {
      note(option, curlShimEasySetLong(easy, Int32(option), value), isOff: value == 0)
    }

    func set(_ option: Int, _ value: String?) {
      // Swift would make an array of a string that is passed itself.
      let code = value?.withCString { curlShimEasySetPointer(easy, Int32(option), $0) }
      note(option, code ?? curlShimEasySetPointer(easy, Int32(option), nil), isOff: value?.isEmpty ?? true)
    }

    func setPointer(_ option: Int, _ value: UnsafeRawPointer?) {
      note(option, curlShimEasySetPointer(easy, Int32(option), value))
    }

    /// Appends a line to a list. Without memory the option counts as refused.
    func append(_ line: String, to list: inout OpaquePointer?, of option: Int) {
      guard let longer = curlShimListAppend(list, line) else { return note(option, Int32(curlCodeOutOfMemory)) }
      list = longer
      // From 8.13 on, libcurl leaves out a field whose value has more than 300 KB, and says nothing.
      if line.utf8.count > 256 * 1024 {
        let failure = CurlFailure(code: curlCodeOutOfMemory, message: "", wasSent: false, hasHead: false)
        refusal = failure.error(response: nil)
      }
    }

    /// These options only make transfers quicker, free resources earlier or explain failures.
    private static let dispensable: Set<Int> = [
      curlOptionErrorBuffer, curlOptionTCPKeepAlive, curlOptionTCPKeepIdle, curlOptionTCPKeepInterval,
      curlOptionBufferSize, curlOptionUploadBufferSize, curlOptionPipeWait, curlOptionConnectionAge,
      curlOptionTrustLifetime,
    ]

    /// Notes the result of setting an option. After a refusal the request isn't sent, because it might go out without a
    /// pin or a proxy.
    ///
    /// - Parameter isOff: whether the value switches the option off. Nothing is lost if this libcurl doesn't know such
    ///   an option.
    func note(_ option: Int, _ code: Int32, isOff: Bool = false) {
      guard code != 0, refusal == nil, !Self.dispensable.contains(option) else { return }
      if isOff, code == curlCodeNotBuiltIn || code == curlCodeUnknownOption { return }
      refusal = .unsent(
        code == curlCodeOutOfMemory ? .other : .invalidRequest,
        "libcurl refused option \(option): \(String(cString: curlShimEasyMessage(code)))",
        cause: NSError(domain: "libcurl", code: Int(code)))
    }
  }
#endif
