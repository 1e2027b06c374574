#if os(Linux)
  internal import CurlShim

  /// The functions that libcurl calls while it works, on the thread that drives it.
  extension CurlHandle {
    /// Gives libcurl the functions. Their contexts are pointers that retain nothing. They stay valid, because a
    /// `CurlHandle` frees its easy handle in `deinit`, and a `CurlLoop` frees its multi handle in `tearDown()`.
    func setCallbacks() {
      setPointer(curlOptionErrorBuffer, errorBuffer)
      let callbacks = CurlShimCallbacks(
        // For a line and for content, any result but the number of bytes ends the transfer with CURLE_WRITE_ERROR.
        line: { bytes, size, count, context in
          let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
          return CurlHandle.call(context, or: 0) { $0.didReceive(line: line) }
        },
        content: { bytes, size, count, context in
          let content = UnsafeRawBufferPointer(start: bytes, count: size * count)
          return CurlHandle.call(context, or: 0) { $0.didReceive(content: content) }
        },
        body: { bytes, size, count, context in
          let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
          return CurlHandle.call(context, or: Int(curlReadAbort)) { $0.read(into: buffer) }
        },
        progress: { context, _, received, _, sent in
          CurlHandle.call(context, or: 1) { $0.didProgress(received: received, sent: sent) ? 0 : 1 }
        },
        open_socket: { context, _, address in
          // -1 is CURL_SOCKET_BAD, with which libcurl gives up the connection.
          guard let address else { return -1 }
          return CurlHandle.call(context, or: -1) { $0.loop.openSocket(address.pointee, for: $0) }
        },
        close_socket: { context, descriptor in CurlLoop.of(context)?.closeSocket(descriptor) ?? 1 },
        lookup: { _, _, context in
          CurlHandle.call(context, or: 1) {
            $0.hasBegunLookup = true
            return 0
          }
        },
        prerequest: loop.hasPrerequest
          ? { context, _, _, _, _ in CurlHandle.call(context, or: 1) { $0.willSendRequest() ? 0 : 1 } } : nil)
      var option: Int32 = 0
      let code = curlShimEasySetCallbacks(
        easy, callbacks, Unmanaged.passUnretained(self).toOpaque(), Unmanaged.passUnretained(loop).toOpaque(), &option)
      note(Int(option), code)
    }

    /// Calls a handle without retaining it: a response has many lines.
    private static func call<Value>(
      _ context: UnsafeMutableRawPointer?, or failure: Value, _ body: (CurlHandle) -> Value
    ) -> Value { context.map { Unmanaged<CurlHandle>.fromOpaque($0)._withUnsafeGuaranteedRef(body) } ?? failure }

    /// The handle that an easy handle belongs to.
    static func of(_ easy: UnsafeMutableRawPointer) -> CurlHandle? {
      let context = curlShimEasyGetString(easy, Int32(curlInformationPrivate))
      return context.map { Unmanaged<CurlHandle>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
    }

    // MARK: The request

    /// The request is about to go out.
    ///
    /// - Returns: whether libcurl may send.
    func willSendRequest() -> Bool {
      guard mayConnect(), let transfer else { return false }
      guard transfer.hasOpened || transfer.beginSending() else {
        transfer.fail(.sent(.cancelled, "cancelled"))
        return false
      }
      transfer.lastActivity = loop.now
      loop.requestSent(for: transfer)
      return true
    }

    /// Whether libcurl may use a connection for the request. To send a request again is the engine's decision, because
    /// the server may have seen the request. From 8.22 on, libcurl often chooses a kept connection that has ended, and
    /// then sends nothing.
    func mayConnect() -> Bool {
      guard let transfer else { return false }
      guard transfer.wasSent, loop.hasPrerequest else { return true }
      // After a 417 to `Expect`, libcurl skips the content and sends the request again.
      if transfer.head.isComplete {
        transfer.hasResponse = true
      } else {
        var error = TransportError.sent(.connectionLost, "the connection was closed before a response came")
        error.isStaleConnection = true
        transfer.fail(error)
      }
      return false
    }

    /// Copies the next bytes of the body for libcurl, and pauses the upload while there are none.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      guard let transfer, transfer.failure == nil else { return Int(curlReadAbort) }
      transfer.lastActivity = loop.now
      // A body in memory is too long for `CurlHandle.copyLimit`.
      let rest = transfer.request.body.data?.dropFirst(Int(transfer.sentCount)).prefix(buffer.count)
      switch transfer.source?.copyBytes(into: buffer) ?? .bytes(rest?.copyBytes(to: buffer) ?? 0) {
      case .bytes(let count):
        // The server has responded before the end of the body, and closed the connection. libcurl would send once more
        // before it reads, and fail without the response. Asked after the copy, in whose time a response may come.
        guard !curlShimSocketHasLastBytes(watched.descriptor) else {
          transfer.source?.takeBack(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
          return pauseSending(transfer)
        }
        transfer.sentCount += Int64(count)
        return count
      case .wait: return pauseSending(transfer)
      case .failed(let error):
        transfer.fail(.unreadableBody(error))
        return Int(curlReadAbort)
      }
    }

    private func pauseSending(_ transfer: CurlTransfer) -> Int {
      transfer.paused |= curlPauseSending
      loop.watchDeadline(of: transfer)
      return Int(curlPause)
    }

    /// Notes activity, and reports progress to the caller if a report is due.
    ///
    /// - Returns: `false` to end the transfer.
    func didProgress(received: Int64, sent: Int64) -> Bool {
      guard let transfer, transfer.failure == nil else { return false }
      // Before libcurl 7.80 this callback is the first that finds the connection open.
      if !loop.hasPrerequest, offset(curlInformationPretransferTime) > 0 { loop.requestSent(for: transfer) }
      // libcurl also calls without any new byte, which isn't activity.
      if transfer.countedBytes != received + sent {
        transfer.countedBytes = received + sent
        transfer.lastActivity = loop.now
        loop.isVain = false
      }
      transfer.reportProgress(received: received, sent: transfer.contentSent(sent))
      return true
    }
  }
#endif
