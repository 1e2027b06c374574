#if os(Linux)
  internal import CurlShim
  import Foundation

  /// Receives a response's content. libcurl calls these functions on the thread that drives it.
  extension CurlHandle {
    /// Prepares for the content that a final head announces.
    ///
    /// - Returns: `false` to end the transfer.
    func didReceiveHead(_ transfer: CurlTransfer) -> Bool {
      transfer.beginDecoding()
      guard !transfer.isFollowed || beginRedirect(transfer) else { return false }
      if let gate = transfer.gate {
        if let response = transfer.response(metrics: nil) { gate.begin(response) }
        return true
      }
      guard !transfer.isDecoding, transfer.plan.shape != .headOnly, let length = transfer.head.contentLength
      else { return true }
      let limit = transfer.task.request.responseLimit
      guard length <= limit else {
        transfer.fail(.tooLarge, "the response has \(length) bytes, more than \(limit)")
        return false
      }
      // A server can announce any length, so no more than 4 MB is reserved for bytes that haven't arrived.
      if length > 16 * 1024 { transfer.body.reserveCapacity(Int(min(length, 4 * 1024 * 1024))) }
      return true
    }

    /// Bounds the body of a redirect that is followed, so that the body delays the next request by 0.2 seconds at most.
    ///
    /// - Returns: `false` for a body that is too long to wait for. `hasResponse` then makes the ended transfer a
    ///   success.
    private func beginRedirect(_ transfer: CurlTransfer) -> Bool {
      let length = transfer.plan.shape == .headOnly ? 0 : transfer.head.contentLength
      guard length != 0 else { return true }
      transfer.hasResponse = length.map { $0 > RedirectBody.limit } ?? false
      transfer.redirectDeadline = loop.now + UInt64(RedirectBody.longestWait * 1_000_000_000)
      loop.watchDeadline(of: transfer)
      return !transfer.hasResponse
    }

    /// Receives a piece of the content.
    ///
    /// - Returns: the number of bytes; `curlPause` if libcurl has to give the piece again; 0 to end the transfer.
    func didReceive(content: UnsafeRawBufferPointer) -> Int {
      guard let transfer, transfer.failure == nil else { return 0 }
      let outcome: CurlContentOutcome
      if transfer.isDecoding {
        outcome = decode(content, of: transfer)
      } else {
        transfer.lastActivity = loop.now
        outcome = store(content, of: transfer)
      }
      switch outcome {
      case .taken: return content.count
      case .notYet: return Int(curlPause)
      case .failed: return 0
      }
    }

    /// Stores decoded bytes in the response, or passes them to the receiver.
    private func store(_ content: UnsafeRawBufferPointer, of transfer: CurlTransfer) -> CurlContentOutcome {
      // Enough of a followed redirect's body has arrived. `hasResponse` makes the ended transfer a success.
      guard transfer.redirectDeadline == .max || content.count <= RedirectBody.limit - transfer.byteCount else {
        transfer.hasResponse = true
        return .failed
      }
      let task = transfer.task
      if let gate = transfer.gate {
        guard gate.isIdle(orCall: { task.driver.post(.resume(task, curlPauseReceiving)) }) else {
          transfer.paused |= curlPauseReceiving
          return .notYet
        }
        gate.add(Data(content))
      } else {
        let limit = task.request.responseLimit
        // Decoded content may exceed the limit although the announced length doesn't.
        guard content.count <= limit - transfer.byteCount else {
          transfer.fail(.tooLarge, "the response has more than \(limit) bytes")
          return .failed
        }
        transfer.body.append(contentsOf: content)
      }
      transfer.byteCount += content.count
      return .taken
    }

    // MARK: Decoding

    /// How many steps the decoder makes before other transfers have their turn.
    private static var stepsPerTurn: Int { 4 }

    /// Decodes as much of a piece as the receiver is ready for, in a bounded number of steps.
    ///
    /// After a pause libcurl gives the whole piece again. `CurlDecoding.taken` counts the bytes of the piece that are
    /// decoded already. Only a new piece counts as activity, because a short piece can decode to nothing for a long
    /// time.
    private func decode(_ content: UnsafeRawBufferPointer, of transfer: CurlTransfer) -> CurlContentOutcome {
      let known = min(transfer.decoding?.taken ?? 0, content.count)
      if transfer.decoding?.isInterrupted == false { transfer.lastActivity = loop.now }
      var coded = UnsafeRawBufferPointer(rebasing: content[known...])
      let outcome = decode(&coded, of: transfer)
      transfer.decoding?.isInterrupted = outcome == .notYet
      switch outcome {
      case .taken: transfer.decoding?.taken -= known
      case .notYet: transfer.decoding?.taken += content.count - known - coded.count
      case .failed: break
      }
      return outcome
    }

    /// Runs the decoder for at most `stepsPerTurn` steps, and removes the consumed bytes from the front of `coded`.
    private func decode(_ coded: inout UnsafeRawBufferPointer, of transfer: CurlTransfer) -> CurlContentOutcome {
      guard let decoder = transfer.decoding?.decoder else { return .failed }
      if let outcome = storeHeld(of: transfer) { return outcome }
      for _ in 0..<Self.stepsPerTurn {
        switch decoder.step(&coded, into: loop.decoded.bytes) {
        case .needsInput:
          return .taken
        case .failed:
          transfer.fail(.badEncoding, "the content doesn't match its Content-Encoding")
          return .failed
        case .bytes(0):
          break
        case .bytes(let count):
          transfer.lastActivity = loop.now
          let content = UnsafeRawBufferPointer(rebasing: loop.decoded.bytes[..<count])
          let outcome = store(content, of: transfer)
          if outcome == .notYet { transfer.decoding?.held = Data(content) }
          guard outcome == .taken else { return outcome }
        }
      }
      // The loop continues with this transfer in its next turn.
      if transfer.decoding?.isListed == false {
        transfer.decoding?.isListed = true
        loop.decoding.append(transfer)
      }
      return .notYet
    }

    /// Stores the decoded bytes that had to wait for the receiver.
    ///
    /// - Returns: `nil` if the decoder may continue.
    private func storeHeld(of transfer: CurlTransfer) -> CurlContentOutcome? {
      guard let held = transfer.decoding?.held else { return nil }
      let outcome = held.withUnsafeBytes { store($0, of: transfer) }
      guard outcome == .taken else { return outcome }
      transfer.decoding?.held = nil
      return nil
    }
  }

  /// Whether a piece of a response's content was stored. `didReceive(content:)` makes libcurl's return value of it.
  private enum CurlContentOutcome {
    case taken
    /// libcurl has to give the piece again later.
    case notYet
    case failed
  }

  extension CurlTransfer {
    /// Prepares to decode, if the head announces coded content and this machine can decode it.
    fileprivate func beginDecoding() {
      // These responses have no content, whatever their header fields say (RFC 9110, section 6.4.1).
      guard plan.decodes, plan.shape != .headOnly, head.statusCode != 304, head.statusCode != 204 else { return }
      decoding = ContentDecoder(ContentCoding.codings(of: head.fields)).map { CurlDecoding(decoder: $0) }
    }

    /// Fails a response whose framing has ended before its compressed content.
    func endDecoding() {
      guard let decoding, !hasResponse, !decoding.decoder.isAtEnd else { return }
      fail(.truncated, "the compressed content is cut off")
    }
  }
#endif
