#if os(Linux)
  internal import CurlShim
  import Foundation

  /// The functions that libcurl calls while it works, on the thread that drives it.
  enum CurlCallbacks {
    static func install(on handle: CurlHandle) {
      let easy = handle.easy
      handle.note(
        curlOptionHeaderFunction,
        curlShimEasySetDataFunction(easy, Int32(curlOptionHeaderFunction)) { bytes, size, count, context in
          guard let bytes, let handle = CurlCallbacks.handle(context) else { return 0 }
          return handle.didReceive(line: UnsafeRawBufferPointer(start: bytes, count: size * count))
        })
      handle.note(
        curlOptionWriteFunction,
        curlShimEasySetDataFunction(easy, Int32(curlOptionWriteFunction)) { bytes, size, count, context in
          guard let handle = CurlCallbacks.handle(context) else { return 0 }
          return handle.didReceive(content: UnsafeRawBufferPointer(start: bytes, count: size * count))
        })
      handle.note(
        curlOptionReadFunction,
        curlShimEasySetDataFunction(easy, Int32(curlOptionReadFunction)) { bytes, size, count, context in
          guard let handle = CurlCallbacks.handle(context) else { return Int(curlReadAbort) }
          return handle.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        })
      handle.note(
        curlOptionProgressFunction,
        curlShimEasySetProgressFunction(easy) { context, _, received, _, sent in
          guard let handle = CurlCallbacks.handle(context) else { return 1 }
          return handle.didProgress(received: received, sent: sent) ? 0 : 1
        })
      handle.note(
        curlOptionOpenSocketFunction,
        curlShimEasySetOpenSocketFunction(easy) { context, _, address in
          guard let address, let handle = CurlCallbacks.handle(context), handle.mayConnect() else { return -1 }
          return handle.loop.openSocket(address.pointee)
        })
      handle.note(
        curlOptionCloseSocketFunction,
        curlShimEasySetCloseSocketFunction(easy) { context, descriptor in
          CurlCallbacks.loop(context)?.closeSocket(descriptor) ?? 1
        })
      guard handle.loop.features.hasPrerequest else { return }
      handle.note(
        curlOptionPrerequestFunction,
        curlShimEasySetPrerequestFunction(easy) { context, _, _, _, _ in
          CurlCallbacks.handle(context)?.willSendRequest() == true ? 0 : 1
        })
    }

    /// - Returns: whether libcurl took all of them; no transfer would go on without.
    static func install(on loop: CurlLoop) -> Bool {
      let context = Unmanaged.passUnretained(loop).toOpaque()
      let codes = [
        curlShimMultiSetPointer(loop.multi, Int32(curlMultiOptionSocketData), context),
        curlShimMultiSetPointer(loop.multi, Int32(curlMultiOptionTimerData), context),
        curlShimMultiSetSocketFunction(loop.multi) { easy, descriptor, what, context, _ in
          CurlCallbacks.loop(context)?.watch(descriptor, for: Int(what), easy: easy)
          return 0
        },
        curlShimMultiSetTimerFunction(loop.multi) { _, milliseconds, context in
          CurlCallbacks.loop(context)?.setTimer(milliseconds)
          return 0
        },
      ]
      return codes.allSatisfy { $0 == 0 }
    }

    private static func loop(_ context: UnsafeMutableRawPointer?) -> CurlLoop? {
      context.map { Unmanaged<CurlLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func handle(_ context: UnsafeMutableRawPointer?) -> CurlHandle? {
      context.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The handle that an easy handle belongs to.
    static func handle(of easy: UnsafeMutableRawPointer) -> CurlHandle? {
      guard let context = curlShimEasyGetString(easy, Int32(curlInformationPrivate)) else { return nil }
      return Unmanaged<CurlHandle>.fromOpaque(UnsafeRawPointer(context)).takeUnretainedValue()
    }
  }

  extension CurlHandle {
    /// The request is about to go out. A second time means that libcurl would send it again over another connection.
    func willSendRequest() -> Bool {
      guard let transfer else { return false }
      guard transfer.task.leave() else {
        transfer.fail(.cancelled, "cancelled")
        return false
      }
      transfer.requestCount += 1
      transfer.lastActivity = loop.now
      loop.didOpen(for: transfer)
      guard transfer.requestCount == 1 else {
        if !endIfAnswered() {
          transfer.fail(.connectionLost, "the connection was closed before a response came")
        }
        return false
      }
      return true
    }

    /// Whether a connection is still needed.
    func mayConnect() -> Bool { transfer != nil && !endIfAnswered() }

    /// After a 417 to `Expect` libcurl skips the content and would send the request again. The 417 is the response.
    private func endIfAnswered() -> Bool {
      guard let transfer, transfer.head.isComplete else { return false }
      transfer.isAnswered = true
      return true
    }

    /// Takes a line of a head, or of the trailers. Anything but the count of its bytes ends the transfer.
    func didReceive(line: UnsafeRawBufferPointer) -> Int {
      guard let transfer, transfer.failure == nil else { return 0 }
      transfer.lastActivity = loop.now
      // The transfer may have taken a kept connection and be paused before libcurl names its descriptor.
      if !transfer.isWatched { loop.kept.removeAll() }
      loop.didSettle(transfer)
      switch transfer.head.take(line) {
      case .more: return line.count
      case .complete: return didReceiveHead(transfer) ? line.count : 0
      case .refused(let kind, let reason):
        transfer.fail(kind, reason)
        return 0
      }
    }

    /// Gives the next bytes of the body.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      guard let transfer, transfer.failure == nil else { return Int(curlReadAbort) }
      transfer.lastActivity = loop.now
      let step: CurlBodySource.Step
      if case .data(let data) = transfer.task.request.body {
        let rest = data.dropFirst(Int(transfer.sentCount)).prefix(buffer.count)
        step = .bytes(rest.copyBytes(to: buffer))
      } else if let source = transfer.source {
        step = source.take(into: buffer)
      } else {
        step = .bytes(0)
      }
      switch step {
      case .bytes(let count):
        transfer.sentCount += Int64(count)
        return count
      case .wait:
        transfer.paused |= curlPauseSending
        return Int(curlPause)
      case .failed(let error):
        transfer.fail(.file, "the request's body couldn't be read", cause: error)
        return Int(curlReadAbort)
      }
    }

    /// Tells the caller, now and then. `false` ends the transfer.
    func didProgress(received: Int64, sent: Int64) -> Bool {
      guard let transfer, transfer.failure == nil else { return false }
      if !loop.features.hasPrerequest, !transfer.hasOpened, !loop.isConnecting(transfer) { loop.didOpen(for: transfer) }
      if transfer.countedBytes != received + sent {
        transfer.countedBytes = received + sent
        transfer.lastActivity = loop.now
      }
      guard let report = transfer.task.request.onProgress else { return true }
      let value = transfer.progressValue(received: received, sent: sent)
      if transfer.progress.isDue(value, now: loop.now) { report(value) }
      return true
    }
  }
#endif
