#if os(Linux)
  internal import CurlShim
  import Foundation

  /// Timeouts, and the end of a transfer. Only the thread that drives libcurl calls these functions.
  extension CurlLoop {
    // MARK: Timeouts

    /// When the transfer's time is over, if no byte is sent or received until then.
    private func deadline(of transfer: CurlTransfer) -> UInt64 {
      let last = min(transfer.waitDeadline, transfer.openingDeadline)
      // A transfer that waits for its turn isn't idle. A timeout is below a year, so the sum doesn't overflow.
      guard let idle = transfer.plan.idleTimeout, transfer.handle != nil else { return last }
      return min(last, transfer.lastActivity &+ idle)
    }

    /// Makes the loop look at the transfer when its deadline comes. Call it when a deadline has become earlier.
    func watchDeadline(of transfer: CurlTransfer) {
      nextLook = min(nextLook, deadline(of: transfer))
    }

    /// Ends the transfers whose time is over.
    func endOverdue() {
      guard nextLook <= now else { return }
      // A transfer that libcurl has finished in time must not count as overdue.
      reap()
      nextLook = .max
      // Ending one transfer reaps others that libcurl has finished meanwhile.
      for transfer in transfers where transfer.index != nil && !endIfOverdue(transfer) {
        watchDeadline(of: transfer)
      }
    }

    /// Ends the transfer if its time is over. Returns whether the transfer has ended.
    private func endIfOverdue(_ transfer: CurlTransfer) -> Bool {
      // The limit on connecting, if there is one, replaces the idle timeout until the request is sent.
      let isConnecting = transfer.plan.connectTimeout != nil && isConnecting(transfer)
      if transfer.openingDeadline <= now { openingTookTooLong(for: transfer) }
      if transfer.paused != 0 || isConnecting { transfer.lastActivity = now }
      guard deadline(of: transfer) <= now else { return false }
      if isConnecting {
        end(transfer, .sent(.timedOut(.connect), "no connection was opened in time"))
      } else if transfer.waitDeadline <= now {
        transfer.hasResponse = true
        finish(transfer, code: 0)
      } else {
        endDeadConnection(of: transfer)
        end(transfer, .sent(.timedOut(.idle), "no byte was sent or received for too long"))
      }
      return true
    }

    /// Whether libcurl runs the transfer and hasn't begun to send its request.
    func isConnecting(_ transfer: CurlTransfer) -> Bool { transfer.handle != nil && !transfer.hasOpened }

    /// Whether every byte on the connection belongs to the transfer. Over HTTP/2 the bytes may be those of other
    /// transfers, and must not delay the idle timeout of this one.
    func ownsConnection(_ transfer: CurlTransfer) -> Bool {
      transfer.head.version == 1 || !mayMultiplex(transfer) || isConnecting(transfer)
    }

    /// Whether the server may choose HTTP/2 for the transfer's connection.
    func mayMultiplex(_ transfer: CurlTransfer) -> Bool {
      transfer.origin?.offersHTTP2 == true
    }

    // MARK: Ending

    /// Finishes the transfers that libcurl has ended.
    func reap() {
      var code: Int32 = 0
      while let easy = curlShimMultiNextEnded(multi, &code) {
        guard let handle = CurlCallbacks.handle(of: easy) else { continue }
        // libcurl keeps the connection, even if the library then fails the transfer for truncated content.
        if code == 0 { noteKeptConnection(of: handle) }
        if let transfer = handle.transfer {
          finish(transfer, code: Int(code))
        } else if orphans.removeValue(forKey: ObjectIdentifier(handle)) != nil {
          curlShimMultiRemove(multi, easy)
        }
      }
    }

    /// Ends a transfer early. A transfer that libcurl has already finished keeps libcurl's result, because its
    /// connection is kept for the next transfer.
    func end(_ transfer: CurlTransfer, _ error: TransportError) {
      reap()
      guard transfer.index != nil else { return }
      transfer.fail(error)
      finish(transfer, code: 0)
    }

    /// Ends a transfer. Every transfer ends here. The driver completes it after the turn.
    ///
    /// - Parameter code: the `CURLcode`; 0 if libcurl reported no failure.
    func finish(_ transfer: CurlTransfer, code: Int) {
      guard let index = transfer.index else { return }
      (transfer.index, lastEnd) = (nil, now)
      let last = transfers.removeLast()
      if last !== transfer {
        transfers[index] = last
        last.index = index
      }
      leaveOrigin(transfer)
      transfer.source?.stop()
      transfer.gate?.close()
      if code == 0 { transfer.endDecoding() }
      // The result reads the handle's figures, so it comes before the handle is released.
      let result = transfer.result(code: code)
      // No other handle is as a new one. Over a shared connection, libcurl (until 8.1) leaves the content that waited for
      // a receiver in the handle, and gives it to the next transfer. It also leaves the buffer of a long body there.
      // libcurl counts the stale connections of a handle over all its transfers, and fails at the sixth.
      let isAsNew = code == 0 && transfer.failure == nil && !transfer.hasResponse && transfer.sentCount == 0
      releaseHandle(of: transfer, isAsNew: isAsNew)
      // A task may be held for long after its end.
      (transfer.source, transfer.decoder, transfer.body) = (nil, nil, Data())
      endings.append((transfer, result))
    }

    /// - Parameter isAsNew: whether a later transfer may use the handle.
    private func releaseHandle(of transfer: CurlTransfer, isAsNew: Bool) {
      guard let handle = transfer.handle else { return }
      // libcurl names no time of a look-up for a request over a kept or shared connection. A server would never learn
      // that such a request is cancelled.
      let isInLookup = transfer.failure != nil && isConnecting(transfer) && handle.isInLookup
      transfer.handle = nil
      handle.clear()
      if isInLookup {
        // Removing the handle now would wait for the name look-up.
        orphans[ObjectIdentifier(handle)] = handle
      } else {
        curlShimMultiRemove(multi, handle.easy)
        if isAsNew, unusedHandles.count < CurlLoop.mostKept { unusedHandles.append(handle) }
      }
    }
  }
#endif
