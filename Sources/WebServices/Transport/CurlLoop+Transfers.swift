#if os(Linux)
  internal import CurlShim
  import Foundation

  /// How a transfer begins.
  extension CurlLoop {
    func take(_ command: DriverCommand) {
      switch command {
      case .start(let task): accept(task)
      case .ready(let ready): handle(ready)
      case .opened(let task, let source): didOpen(task, source)
      case .cancel(let task): end(task, .cancelled, "cancelled")
      case .fail(let task, let error):
        if let transfer = transfers[ObjectIdentifier(task)] { end(transfer, with: error) }
      case .receiveMore(let task):
        resume(task) {
          $0.isReceivingPaused = false
          $0.lastActivity = CurlLoop.readClock()
        }
      case .sendMore(let task):
        resume(task) {
          $0.isSendingPaused = false
          $0.lastActivity = CurlLoop.readClock()
        }
      case .cancelAll:
        for transfer in Array(transfers.values) {
          end(transfer.task, .cancelled, "the session was invalidated")
        }
      }
    }

    // MARK: Beginning

    private func accept(_ task: CurlTask) {
      guard case .success(let plan) = task.plan else { return }
      let transfer = CurlTransfer(task, plan: plan, now: CurlLoop.readClock())
      transfers[ObjectIdentifier(task)] = transfer
      watchDeadline(of: transfer)
      if admission.admit(transfer, to: plan.target.origin.text) {
        begin(transfer)
      } else {
        task.wait(for: admission.wait(of: transfer))
      }
    }

    /// Starts what waits and has a place now.
    func startNext() {
      while let transfer = admission.next() {
        transfer.task.wait(for: .connecting)
        begin(transfer)
      }
      startHeld()
    }

    private func begin(_ transfer: CurlTransfer) {
      let task = transfer.task
      if case .receiver = task.request.destination {
        transfer.gate = CurlGate { [driver] in driver.post(.receiveMore(task)) }
      }
      switch task.request.body {
      case .none, .data: return run(transfer)
      case .file, .stream: break
      }
      let driver = driver
      DispatchQueue.global().async {
        do {
          guard let source = try CurlBodySource(task) else { return }
          if !driver.post(.opened(task, source)) { source.stop() }
        } catch {
          driver.post(
            .fail(
              task,
              TransportError(
                .file, message: "the request's body couldn't be opened", mayHaveReachedServer: false,
                underlying: error)))
        }
      }
    }

    private func didOpen(_ task: CurlTask, _ source: CurlBodySource) {
      guard let transfer = transfers[ObjectIdentifier(task)] else { return source.stop() }
      transfer.source = source
      run(transfer)
    }

    /// Gives the transfer to libcurl, unless it has to wait for a connection that is being opened.
    func run(_ transfer: CurlTransfer) {
      guard !isHeld(transfer) else { return }
      // Without a callback before each request nobody knows when it goes out.
      guard features.hasPrerequest || transfer.task.leave() else {
        return end(transfer.task, .cancelled, "cancelled")
      }
      guard let multi, isReady, let handle = unusedHandles.popLast() ?? CurlHandle(loop: self) else {
        let reason = isReady || multi == nil ? "out of memory" : "libcurl refused the session's callbacks"
        end(transfer, with: TransportError(.other, message: reason, mayHaveReachedServer: false))
        return
      }
      transfer.handle = handle
      handle.prepare(transfer)
      if let refusal = handle.refusal {
        end(transfer, with: refusal.error)
        return
      }
      transfer.lastActivity = CurlLoop.readClock()
      watchDeadline(of: transfer)
      isChoosing = true
      let code = curlShimMultiAdd(multi, handle.easy)
      if code != 0 {
        transfer.fail(.other, "libcurl refused the request (\(code))")
        finish(transfer, code: 0)
      } else {
        beginOpening(of: transfer)
      }
    }

    /// Where transfers share a connection, libcurl's count says which of them sends.
    func needsProgress(_ transfer: CurlTransfer) -> Bool {
      transfer.task.request.onProgress != nil || !features.hasPrerequest
        || transfer.plan.shape == .sending && mayMultiplex(transfer)
    }

    /// Without a callback before each request, only a new connection keeps libcurl from sending a request again.
    func needsFreshConnection(_ transfer: CurlTransfer) -> Bool {
      let request = transfer.task.request
      if request.needsNewConnection { return true }
      return !features.hasPrerequest && !(request.method.isIdempotent && request.body.isReplayable)
    }

    /// A body that is read on the way, and one whose progress is watched, goes in pieces of the usual size.
    func uploadBuffer(for transfer: CurlTransfer) -> Int {
      guard case .data(let data) = transfer.task.request.body, transfer.task.request.onProgress == nil else {
        return CurlUploadBuffer.usual
      }
      return CurlUploadBuffer.size(forBodyOf: data.count, among: transfers.count)
    }

    /// Lets the decoders work that had to leave off. That isn't an activity: of some content nothing comes, however long
    /// it is decoded.
    func goOnDecoding() {
      guard !decoding.isEmpty else { return }
      let transfers = decoding
      decoding.removeAll(keepingCapacity: true)
      for transfer in transfers { resume(transfer.task) { $0.decoding?.isListed = false } }
    }

    private func resume(_ task: CurlTask, _ change: (CurlTransfer) -> Void) {
      guard let transfer = transfers[ObjectIdentifier(task)], let handle = transfer.handle else { return }
      change(transfer)
      var mask = 0
      if transfer.isReceivingPaused { mask |= curlPauseReceiving }
      if transfer.isSendingPaused { mask |= curlPauseSending }
      curlShimEasyPause(handle.easy, Int32(mask))
    }
  }
#endif
