#if os(Linux)
  internal import CurlShim
  import Foundation

  /// How an exchange ends.
  extension CurlLoop {
    // MARK: Timeouts

    /// When the exchange is looked at next, if nothing comes until then.
    func nextDeadline(of transfer: CurlTransfer) -> UInt64 {
      let last = min(transfer.wholeDeadline, transfer.redirectDeadline, transfer.openingDeadline)
      guard let idle = transfer.plan.idleTimeout, transfer.handle != nil else { return last }
      return min(last, transfer.lastActivity &+ idle)
    }

    func endOverdue() {
      if (deadlines.first?.deadline ?? .max) <= now { reap() }
      while let transfer = deadlines.first, transfer.deadline <= now {
        if transfer.wholeDeadline <= now {
          let wait = transfer.task.currentWait
          transfer.failureWait = wait
          end(transfer.task, .timedOut(.whole), wait?.message ?? "the exchange took too long")
        } else if transfer.redirectDeadline <= now {
          transfer.isAnswered = true
          finish(transfer, code: 0)
        } else {
          if transfer.openingDeadline <= now { opensTooLong(transfer) }
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
      transfer.plan.connectTimeout != nil && isConnecting(transfer)
    }

    func isConnecting(_ transfer: CurlTransfer) -> Bool {
      guard let handle = transfer.handle else { return false }
      if features.hasPrerequest { return transfer.requestCount == 0 }
      return curlShimEasyGetOffset(handle.easy, Int32(curlInformationPretransferTime)) == 0
    }

    /// Whether every byte on the exchange's connection is the exchange's: not where HTTP/2 is spoken, or may be.
    func ownsConnection(_ transfer: CurlTransfer) -> Bool {
      transfer.head.version == 1 || !mayMultiplex(transfer) || isConnecting(transfer)
    }

    func mayMultiplex(_ transfer: CurlTransfer) -> Bool {
      transfer.plan.target.origin.isSecure && offersHTTP2
    }

    // MARK: Ending

    /// Tells the owners of what is over.
    ///
    /// - Returns: what one of them wants done that this thread may do, once it drives no longer.
    func tellEndings() -> SpareThread.Work? {
      var last: SpareThread.Work?
      var index = 0
      while index < endings.count {
        let ending = endings[index]
        index += 1
        guard let work = SpareThread.work(of: { ending.task.complete(ending.result) }) else { continue }
        last?.dispatch()
        last = work
      }
      endings.removeAll(keepingCapacity: true)
      return last
    }

    /// Takes what libcurl has finished.
    func reap() {
      guard let multi else { return }
      var code: Int32 = 0
      while let easy = curlShimMultiNextEnded(multi, &code) {
        guard let handle = CurlCallbacks.handle(of: easy) else { continue }
        // The library may still fail the exchange, for a truncated content coding for instance.
        if code == 0 { noteKeptConnection(of: handle) }
        if let transfer = handle.transfer {
          finish(transfer, code: Int(code))
        } else if orphans.removeValue(forKey: ObjectIdentifier(handle)) != nil {
          curlShimMultiRemove(multi, easy)
          keep(handle)
        }
      }
    }

    /// Ends an exchange early. An exchange that libcurl has finished already ends as it did there: libcurl has put its
    /// connection aside for the next one.
    func end(_ task: CurlTask, _ kind: TransportError.Kind, _ message: String) {
      reap()
      guard let transfer = transfers[ObjectIdentifier(task)] else { return }
      transfer.fail(kind, message)
      finish(transfer, code: 0)
    }

    func end(_ transfer: CurlTransfer, with error: TransportError) {
      reap()
      guard transfers[ObjectIdentifier(transfer.task)] === transfer else { return }
      transfer.fail(error.kind, error.message, cause: error.underlying)
      finish(transfer, code: 0)
    }

    /// The one end of every exchange. Its owner is told behind all that is under way now.
    func finish(_ transfer: CurlTransfer, code: Int) {
      transfers[ObjectIdentifier(transfer.task)] = nil
      deadlines.remove(transfer)
      if transfer.handle?.usesHTTP2 == true { admission.multiplex(transfer) }
      endOpening(of: transfer)
      admission.release(transfer)
      transfer.source?.stop()
      transfer.gate?.close()
      if code == 0 { transfer.endDecoding() }
      let result = transfer.result(code: code)
      release(transfer)
      endings.append(CurlEnding(task: transfer.task, result: result))
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
        // libcurl counts the stale connections of a handle, over all its exchanges, and gives up at the sixth.
        if !transfer.wantedNewConnection { keep(handle) }
      }
    }

    private func keep(_ handle: CurlHandle) {
      if handle.refusal == nil, unusedHandles.count < admission.limit { unusedHandles.append(handle) }
    }
  }
#endif
