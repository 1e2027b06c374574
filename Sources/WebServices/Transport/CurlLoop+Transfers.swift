#if os(Linux)
  internal import CurlShim
  import Foundation

  /// The beginning, the timeouts and the end of a transfer. Only the thread that drives libcurl calls these functions.
  extension CurlLoop {
    func execute(_ command: DriverCommand) {
      switch command {
      case .start(let transfer):
        // `CurlTransfer.resume` has refused a request without a target.
        guard let target = transfer.plan.target else { return }
        transfer.index = transfers.count
        transfers.append(transfer)
        let origin = origin(of: target.origin)
        transfer.origin = origin
        if origin.admit(transfer) { begin(transfer) } else { transfer.wait(for: origin.wait) }
      case .opened(let transfer, let source):
        // The transfer may have ended meanwhile.
        guard transfer.index != nil else { return source.stop() }
        transfer.source = source
        begin(transfer)
      case .end(let transfer?, let error): end(transfer, error)
      case .end(nil, let error): for transfer in transfers { end(transfer, error) }
      case .resume(let transfer, let direction):
        // The idle timeout begins anew, because the receiver or the body's source held the transfer up.
        transfer.lastActivity = CurlLoop.readClock()
        proceed(with: transfer, in: direction)
      }
    }

    // MARK: Beginning

    /// Opens the body of a transfer that has its place. Opening may block, so it happens on another thread.
    private func openBody(of transfer: CurlTransfer) {
      let driver = driver
      // A queue of its own always gets a thread. The global queues have few, and bodies that open slowly would take
      // them.
      DispatchQueue(label: "CurlSession.opening").async {
        do {
          let source = try CurlBodySource(transfer.request.body) { driver.post(.resume(transfer, curlPauseSending)) }
          // Without a loop nobody else would close the file.
          if let source, !driver.post(.opened(transfer, source)) { source.stop() }
        } catch {
          driver.post(.end(transfer, .unreadableBody(error)))
        }
      }
    }

    /// Gives the transfer to libcurl, after its body is open.
    func begin(_ transfer: CurlTransfer) {
      guard transfer.source != nil || transfer.request.body.data != nil else { return openBody(of: transfer) }
      // Before libcurl 7.80 no callback says when a request goes out, so the task can't be withdrawn after this check.
      guard hasPrerequest || transfer.beginSending() else { return end(transfer, .unsent(.cancelled, "cancelled")) }
      guard let handle = unusedHandles.popLast() ?? CurlHandle(loop: self)
      else { return end(transfer, .unsent(.other, "out of memory")) }
      handle.prepare(transfer)
      if let refusal = handle.refusal { return end(transfer, refusal) }
      isChoosing = true
      let code = curlShimMultiAdd(multi, handle.easy)
      guard code == 0 else { return end(transfer, .unsent(.other, "libcurl refused the request (\(code))")) }
      // Not before: `finish` would keep a handle that libcurl doesn't have until the end of a name look-up.
      transfer.handle = handle
      transfer.lastActivity = CurlLoop.readClock()
      if let timeout = transfer.plan.connectTimeout { transfer.waitDeadline = transfer.lastActivity + timeout }
      let allowsContent = transfer.plan.shape != .headOnly
      transfer.head = CurlHead(former: transfer.origin?.fields ?? [], allowsContent: allowsContent)
      watchDeadline(of: transfer)
      guard let origin = transfer.origin, origin.isShared != false, !needsFreshConnection(transfer) else { return }
      // libcurl chooses a connection when its timer fires, and a new request sets the timer to now. If libcurl opens a
      // connection, the next transfers wait.
      fireTimer()
      guard isConnecting(transfer), origin.beginOpening(transfer) else { return }
      transfer.openingDeadline = CurlLoop.readClock() + CurlOrigin<CurlTransfer>.longestWait
      watchDeadline(of: transfer)
    }

    /// Whether the transfer must not use a kept connection. Before libcurl 7.80 (no CURLOPT_PREREQFUNCTION), only a new
    /// connection keeps libcurl from sending a request again. From 8.22 on, libcurl doesn't notice for a second that a
    /// kept connection has ended, and takes the first bytes of a body in vain. Over HTTP/2 the limit of connections may
    /// allow no other one.
    func needsFreshConnection(_ transfer: CurlTransfer) -> Bool {
      let request = transfer.request
      return request.needsNewConnection
        || !request.body.isReplayable && transfer.origin?.isShared == false && now < lastKeptEnd + 1_000_000_000
        || !hasPrerequest && !(request.method.isIdempotent && request.body.isReplayable)
    }

    /// Continues the decoding that was interrupted for other transfers, the uploads whose response has begun, and the
    /// connecting to a host whose address has failed.
    func continueInterrupted() {
      for transfer in exchange(&interrupted, with: []) {
        transfer.decoder?.isListed = false
        // Without a socket, libcurl looks only at a transfer whose pauses change.
        if let handle = transfer.handle, isConnecting(transfer) {
          curlShimEasyPause(handle.easy, Int32(curlPauseReceiving))
        }
        proceed(with: transfer, in: curlPauseSending)
      }
    }

    /// Lets libcurl continue in a direction. It calls back for each direction that doesn't wait: with the content that
    /// it kept, and for the next bytes of a body, even if there are none.
    func proceed(with transfer: CurlTransfer, in direction: Int) {
      // The transfer may have ended meanwhile.
      guard let handle = transfer.handle else { return }
      transfer.paused &= ~direction
      let code = curlShimEasyPause(handle.easy, Int32(transfer.paused))
      if handle.watched.descriptor >= 0 { changed.append(handle.watched.descriptor) }
      // If a callback refuses a part of the content that was kept, libcurl (8.6 to 8.15) reads on all the same, unless
      // it may not send either.
      if transfer.holdsBack, transfer.source == nil { curlShimEasyPause(handle.easy, Int32(curlPauseBoth)) }
      guard code != 0 else { return }
      // If a callback refuses the bytes that were kept, libcurl (until 8.5) only returns its code, and waits for more.
      // It also returns one for a transfer that it has finished.
      reap()
      if transfer.handle != nil { finish(transfer, code: Int(code)) }
    }

    // MARK: Timeouts

    /// When the transfer's time is over, if no byte is sent or received until then.
    private func deadline(of transfer: CurlTransfer) -> UInt64 {
      let last = min(transfer.waitDeadline, transfer.openingDeadline)
      // libcurl also reads when a timer of its own fires. Nothing else tells that the rest of the response came so.
      let limit = transfer.respondsWhilePaused ? 1_000_000_000 : transfer.plan.idleTimeout
      // A transfer that waits for its turn isn't idle. A timeout is below a year, so the sum doesn't overflow.
      guard let limit, transfer.handle != nil else { return last }
      return min(last, transfer.lastActivity &+ limit)
    }

    /// Makes the loop look at the transfer when its deadline comes. Call it when a deadline has become earlier.
    func watchDeadline(of transfer: CurlTransfer) { nextLook = min(nextLook, deadline(of: transfer)) }

    /// Ends the transfers whose time is over.
    func endOverdue() {
      guard nextLook <= now else { return }
      // Bytes count that came while the thread stood still, and a transfer that libcurl has finished isn't overdue.
      forEachReady { handle($0.mask, on: $0.descriptor) }
      reap()
      nextLook = .max
      // Ending one transfer reaps others that libcurl has finished meanwhile.
      for transfer in transfers where transfer.index != nil { endIfOverdue(transfer) }
    }

    /// Ends the transfer if its time is over.
    private func endIfOverdue(_ transfer: CurlTransfer) {
      // The limit on connecting, if there is one, replaces the idle timeout until the request is sent.
      let isConnecting = transfer.plan.connectTimeout != nil && isConnecting(transfer)
      if transfer.openingDeadline <= now { openingTookTooLong(for: transfer) }
      if transfer.paused != 0 || isConnecting { transfer.lastActivity = now }
      if transfer.respondsWhilePaused { proceed(with: transfer, in: curlPauseSending) }
      guard deadline(of: transfer) <= now else { return watchDeadline(of: transfer) }
      if isConnecting {
        end(transfer, .sent(.timedOut(.connect), "no connection was opened in time"))
      } else if transfer.waitDeadline <= now {
        transfer.hasResponse = true
        finish(transfer, code: 0)
      } else {
        end(transfer, .sent(.timedOut(.idle), "no byte was sent or received for too long"))
      }
    }

    /// Whether libcurl runs the transfer and hasn't begun to send its request.
    func isConnecting(_ transfer: CurlTransfer) -> Bool { transfer.handle != nil && !transfer.hasOpened }

    /// Whether every byte on the connection belongs to the transfer. Over HTTP/2 the bytes may be those of other
    /// transfers, and must not delay the idle timeout of this one.
    func ownsConnection(_ transfer: CurlTransfer) -> Bool {
      transfer.head.version == 1 || !mayMultiplex(transfer) || isConnecting(transfer)
    }

    /// Whether the server may choose HTTP/2 for the transfer's connection.
    func mayMultiplex(_ transfer: CurlTransfer) -> Bool { transfer.origin?.offersHTTP2 == true }

    // MARK: Ending

    /// Finishes the transfers that libcurl has ended.
    func reap() {
      var code: Int32 = 0
      while let easy = curlShimMultiNextEnded(multi, &code) {
        guard let handle = CurlHandle.of(easy) else { continue }
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
      endDeadConnection(of: transfer)
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
      noteChange(of: transfer.origin) { $0.release(transfer) }
      // Its version of HTTP is worth keeping, unless a program calls ever new hosts.
      if let origin = transfer.origin, origin.isUnused, origins.count > 256 { origins[origin.name] = nil }
      transfer.origin = nil
      transfer.source?.stop()
      transfer.gate?.close()
      // The result reads the handle's figures, so it comes before the handle is released.
      let result = transfer.result(code: code)
      // No other handle is as a new one. Over a shared connection, libcurl (until 8.1) leaves the content that waited
      // for a receiver in the handle, and gives it to the next transfer. It also leaves the buffer of a long body
      // there, and libcurl 8.18 a pause, in which it sends nothing of the next transfer. libcurl counts the stale
      // connections of a handle over all its transfers, and fails at the sixth.
      let wasPlain = transfer.source == nil && transfer.sentCount == 0
      let isAsNew = wasPlain && code == 0 && transfer.failure == nil && !transfer.hasResponse
      releaseHandle(of: transfer, isAsNew: isAsNew)
      // A task may be held for long after its end.
      (transfer.source, transfer.decoder, transfer.body) = (nil, nil, Data())
      endings.append((transfer, result))
    }

    /// - Parameter isAsNew: whether a later transfer may use the handle.
    private func releaseHandle(of transfer: CurlTransfer, isAsNew: Bool) {
      guard let handle = transfer.handle.take() else { return }
      let isInLookup = transfer.failure != nil && handle.isInLookup
      handle.clear()
      if isInLookup {
        // Removing the handle now would wait for the name look-up.
        orphans[ObjectIdentifier(handle)] = handle
      } else {
        // Over a shared connection, libcurl (until 8.1) frees the content that waits for a receiver only if the content
        // is refused. Without a transfer, the handle refuses all content.
        if !isAsNew { curlShimEasyPause(handle.easy, 0) }
        curlShimMultiRemove(multi, handle.easy)
        if isAsNew, unusedHandles.count < CurlLoop.mostKept { unusedHandles.append(handle) }
      }
    }
  }
#endif
