#if os(Linux)
  internal import CurlShim
  import Foundation

  /// The beginning of a transfer. Only the thread that drives libcurl calls these functions.
  extension CurlLoop {
    func execute(_ command: DriverCommand) {
      switch command {
      case .start(let transfer): accept(transfer)
      case .opened(let transfer, let source): didOpenBody(of: transfer, source)
      case .end(let transfer?, let error): end(transfer, error)
      case .end(nil, let error): for transfer in transfers { end(transfer, error) }
      case .resume(let transfer, let direction):
        // The transfer may have ended since the command was queued.
        guard transfer.handle != nil else { return }
        transfer.paused &= ~direction
        // The idle timeout begins anew, because the receiver or the body's source held the transfer up.
        transfer.lastActivity = CurlLoop.readClock()
        applyPauses(of: transfer)
      }
    }

    // MARK: Beginning

    /// Begins a transfer at once if its origin has room for it.
    func accept(_ transfer: CurlTransfer) {
      // `CurlDriver.submit` has refused a request without a target.
      guard let target = transfer.plan.target else { return }
      transfer.index = transfers.count
      transfers.append(transfer)
      let origin = origin(of: target.origin)
      transfer.origin = origin
      if origin.admit(transfer) {
        begin(transfer)
      } else {
        transfer.wait(for: origin.wait)
      }
    }

    /// Runs a transfer, after its body is open. Opening may block, so it happens on another thread.
    func begin(_ transfer: CurlTransfer) {
      guard transfer.request.body.data == nil else { return run(transfer) }
      let driver = driver
      // A queue of its own always gets a thread. The global queues have few, and bodies that open slowly would take them.
      DispatchQueue(label: "CurlSession.opening").async {
        do {
          let source = try CurlBodySource(transfer.request.body) { driver.post(.resume(transfer, curlPauseSending)) }
          guard let source else { return }
          // Without a loop nobody else would close the file.
          if !driver.post(.opened(transfer, source)) { source.stop() }
        } catch {
          driver.post(.end(transfer, .unreadableBody(error)))
        }
      }
    }

    /// Runs a transfer whose body is open now, unless the transfer has ended meanwhile.
    private func didOpenBody(of transfer: CurlTransfer, _ source: CurlBodySource) {
      guard transfer.index != nil else { return source.stop() }
      transfer.source = source
      run(transfer)
    }

    /// Gives the transfer to libcurl.
    private func run(_ transfer: CurlTransfer) {
      // Before libcurl 7.80 no callback says when a request goes out, so the task can't be withdrawn after this check.
      guard hasPrerequest || transfer.beginSending() else { return end(transfer, .unsent(.cancelled, "cancelled")) }
      guard let handle = unusedHandles.popLast() ?? CurlHandle(loop: self) else {
        return end(transfer, .unsent(.other, "out of memory"))
      }
      handle.prepare(transfer)
      if let refusal = handle.refusal { return end(transfer, refusal) }
      isChoosing = true
      let code = curlShimMultiAdd(multi, handle.easy)
      guard code == 0 else { return end(transfer, .unsent(.other, "libcurl refused the request (\(code))")) }
      // Not before: `releaseHandle` would keep a handle that libcurl doesn't have until the end of a name look-up.
      transfer.handle = handle
      transfer.lastActivity = CurlLoop.readClock()
      if let timeout = transfer.plan.connectTimeout { transfer.waitDeadline = transfer.lastActivity + timeout }
      if let origin = transfer.origin { transfer.head = CurlHead(former: origin.fields) }
      watchDeadline(of: transfer)
      chooseConnection(for: transfer)
    }

    /// Whether libcurl has to call the progress callback. Where uploads share a connection, only libcurl's count says
    /// which of them is active.
    func needsProgress(_ transfer: CurlTransfer) -> Bool {
      transfer.request.onProgress != nil || !hasPrerequest
        || transfer.plan.shape == .sending && mayMultiplex(transfer)
    }

    /// Whether the transfer must not use a kept connection. Before libcurl 7.80 (no CURLOPT_PREREQFUNCTION), only a new
    /// connection keeps libcurl from sending a request again.
    func needsFreshConnection(_ transfer: CurlTransfer) -> Bool {
      let request = transfer.request
      if request.needsNewConnection { return true }
      return !hasPrerequest && !(request.method.isIdempotent && request.body.isReplayable)
    }

    /// Continues the decoding that was interrupted for other transfers, and the uploads whose response has begun.
    func continueInterrupted() {
      guard !interrupted.isEmpty else { return }
      let transfers = interrupted
      interrupted.removeAll(keepingCapacity: true)
      for transfer in transfers {
        transfer.decoder?.isListed = false
        continueUpload(of: transfer)
      }
    }

    /// Lets libcurl ask for the next bytes of a body, even if there are none. libcurl ends no transfer whose upload
    /// is paused, although the response is complete and the server wants nothing more.
    func continueUpload(of transfer: CurlTransfer) {
      transfer.paused &= ~curlPauseSending
      applyPauses(of: transfer)
    }

    /// Tells libcurl which directions wait. For each other direction libcurl calls back, with the bytes that were kept.
    private func applyPauses(of transfer: CurlTransfer) {
      guard let handle = transfer.handle else { return }
      let code = curlShimEasyPause(handle.easy, Int32(transfer.paused))
      guard code != 0 else { return }
      // If a callback refuses the bytes that were kept, libcurl (until 8.5) only returns its code, and waits for more.
      // It also returns one for a transfer that it has finished.
      reap()
      if transfer.handle != nil { finish(transfer, code: Int(code)) }
    }
  }
#endif
