#if os(Linux)
  internal import CurlShim
  import Foundation

  /// The life of an exchange on the transport's thread.
  extension CurlLoop {
    func take(_ message: CurlMessage) {
      switch message {
      case .start(let task): accept(task)
      case .opened(let task, let attachments): didOpen(task, attachments)
      case .cancel(let task): end(task, .cancelled, "cancelled")
      case .fail(let task, let error):
        if let transfer = transfers[ObjectIdentifier(task)] { end(transfer, with: error) }
      case .receiveMore(let task):
        resume(task) { $0.isReceivingPaused = false }
      case .sendMore(let task):
        resume(task) { $0.isSendingPaused = false }
      case .cancelAll:
        for transfer in Array(transfers.values) { end(transfer.task, .cancelled, "the session was invalidated") }
      }
    }

    // MARK: Beginning

    private func accept(_ task: CurlTask) {
      guard case .success(let plan) = task.plan else { return }
      let transfer = CurlTransfer(task, plan: plan, now: CurlLoop.readClock())
      transfers[ObjectIdentifier(task)] = transfer
      if transfer.wholeDeadline != .max { deadlines.set(transfer, to: transfer.wholeDeadline) }
      if admission.admit(transfer, to: plan.target.origin) { begin(transfer) }
    }

    /// Starts what waits and has a place now.
    func startNext() {
      while let transfer = admission.next() { begin(transfer) }
    }

    private func begin(_ transfer: CurlTransfer) {
      let task = transfer.task
      if case .receiver = task.request.destination { transfer.attachments.gate = makeGate(task, limit: 0) }
      guard CurlAttachments.areNeeded(for: task.request) else {
        run(transfer)
        return
      }
      let mailbox = mailbox
      DispatchQueue.global().async {
        do {
          mailbox.post(.opened(task, try CurlAttachments(task)))
        } catch {
          mailbox.post(
            .fail(
              task,
              TransportError(
                .file, message: "a file or the body couldn't be opened", mayHaveReachedServer: false,
                underlying: error)))
        }
      }
    }

    private func makeGate(_ task: CurlTask, limit: Int) -> CurlGate {
      let mailbox = mailbox
      return CurlGate(limit: limit) { mailbox.post(.receiveMore(task)) }
    }

    private func didOpen(_ task: CurlTask, _ attachments: CurlAttachments) {
      guard let transfer = transfers[ObjectIdentifier(task)] else {
        attachments.source?.stop()
        attachments.sink?.close { _ in }
        return
      }
      let gate = transfer.attachments.gate
      transfer.attachments = attachments
      transfer.attachments.gate = attachments.sink == nil ? gate : makeGate(task, limit: CurlFileSink.limit)
      run(transfer)
    }

    /// Gives the exchange to libcurl.
    private func run(_ transfer: CurlTransfer) {
      guard let multi, let handle = unusedHandles.popLast() ?? CurlHandle(loop: self) else {
        end(transfer, with: TransportError(.other, message: "out of memory", mayHaveReachedServer: false))
        return
      }
      transfer.handle = handle
      handle.prepare(transfer)
      transfer.lastActivity = CurlLoop.readClock()
      deadlines.set(transfer, to: nextDeadline(of: transfer))
      let code = curlShimMultiAdd(multi, handle.easy)
      if code != 0 {
        transfer.fail(.other, "libcurl refused the request (\(code))")
        finish(transfer, code: 0)
      }
    }

    func needsProgress(_ transfer: CurlTransfer) -> Bool {
      transfer.task.request.onProgress != nil || !features.hasPrerequest
    }

    /// Without a callback before each request, only a new connection keeps libcurl from sending a request again.
    func needsFreshConnection(_ transfer: CurlTransfer) -> Bool {
      guard !features.hasPrerequest else { return false }
      return !transfer.task.request.method.isIdempotent || !transfer.task.request.body.isReplayable
    }

    private func resume(_ task: CurlTask, _ change: (CurlTransfer) -> Void) {
      guard let transfer = transfers[ObjectIdentifier(task)], let handle = transfer.handle else { return }
      change(transfer)
      transfer.lastActivity = CurlLoop.readClock()
      var mask = 0
      if transfer.isReceivingPaused { mask |= curlPauseReceiving }
      if transfer.isSendingPaused { mask |= curlPauseSending }
      curlShimEasyPause(handle.easy, Int32(mask))
    }

    // MARK: Timeouts

    /// When the exchange is looked at next, if nothing comes until then.
    private func nextDeadline(of transfer: CurlTransfer) -> UInt64 {
      guard let idle = transfer.plan.idleTimeout, transfer.handle != nil else { return transfer.wholeDeadline }
      return min(transfer.wholeDeadline, transfer.lastActivity &+ idle)
    }

    func endOverdue() {
      while let transfer = deadlines.first, transfer.deadline <= now {
        if transfer.wholeDeadline <= now {
          end(transfer.task, .timedOut(.whole), "the exchange took too long")
        } else {
          if transfer.isPaused || isConnectingWithLimit(transfer) { transfer.lastActivity = now }
          let next = nextDeadline(of: transfer)
          if next <= now {
            end(transfer.task, .timedOut(.idle), "no byte came or went for too long")
          } else {
            deadlines.set(transfer, to: next)
          }
        }
      }
    }

    /// While it connects, a limit on connecting counts alone.
    private func isConnectingWithLimit(_ transfer: CurlTransfer) -> Bool {
      guard transfer.plan.connectTimeout != nil, let handle = transfer.handle else { return false }
      if features.hasPrerequest { return transfer.requestCount == 0 }
      return curlShimEasyGetOffset(handle.easy, Int32(curlInformationPretransferTime)) == 0
    }

    // MARK: Ending

    /// Takes what libcurl has finished.
    func reap() {
      guard let multi else { return }
      var code: Int32 = 0
      while let easy = curlShimMultiNextEnded(multi, &code) {
        guard let handle = CurlCallbacks.handle(of: easy) else { continue }
        if let transfer = handle.transfer {
          finish(transfer, code: Int(code))
        } else if orphans.removeValue(forKey: ObjectIdentifier(handle)) != nil {
          curlShimMultiRemove(multi, easy)
          keep(handle)
        }
      }
    }

    private func end(_ task: CurlTask, _ kind: TransportError.Kind, _ message: String) {
      guard let transfer = transfers[ObjectIdentifier(task)] else { return }
      transfer.fail(kind, message)
      finish(transfer, code: 0)
    }

    private func end(_ transfer: CurlTransfer, with error: TransportError) {
      transfer.fail(error.kind, error.message, cause: error.underlying)
      finish(transfer, code: 0)
    }

    /// The one end of every exchange on this thread.
    private func finish(_ transfer: CurlTransfer, code: Int) {
      transfers[ObjectIdentifier(transfer.task)] = nil
      deadlines.remove(transfer)
      if transfer.handle?.usesHTTP2 == true { admission.multiplex(transfer) }
      admission.release(transfer)
      transfer.attachments.source?.stop()
      let result = transfer.result(code: code)
      release(transfer)
      guard let sink = transfer.attachments.sink else {
        transfer.task.complete(result)
        return
      }
      let task = transfer.task
      sink.close { failure in task.complete(result.unless(failure)) }
    }

    private func release(_ transfer: CurlTransfer) {
      guard let handle = transfer.handle, let multi else { return }
      transfer.handle = nil
      let isInLookup = !features.canLeaveLookup && handle.isInLookup && transfer.failure != nil
      handle.clear()
      if isInLookup {
        // To take it away now would wait for the look-up.
        orphans[ObjectIdentifier(handle)] = handle
      } else {
        curlShimMultiRemove(multi, handle.easy)
        keep(handle)
      }
    }

    private func keep(_ handle: CurlHandle) {
      if unusedHandles.count < admission.limit { unusedHandles.append(handle) }
    }
  }
#endif
