#if os(Linux)
  internal import CurlShim
  import Foundation

  /// How a response's content comes in.
  extension CurlHandle {
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
      if length > 16 * 1024 { transfer.body.reserveCapacity(Int(min(length, 4 * 1024 * 1024))) }
      return true
    }

    /// Bounds the body of a redirect that is followed.
    ///
    /// - Returns: whether to wait for it at all.
    private func beginRedirect(_ transfer: CurlTransfer) -> Bool {
      let length = transfer.plan.shape == .headOnly ? 0 : transfer.head.contentLength
      guard length != 0 else { return true }
      transfer.isAnswered = length.map { $0 > RedirectBody.limit } ?? false
      transfer.redirectDeadline = loop.now + UInt64(RedirectBody.patience * 1_000_000_000)
      loop.watchDeadline(of: transfer)
      return !transfer.isAnswered
    }

    /// Takes a piece of the content, or asks libcurl to keep it for later.
    func didReceive(content: UnsafeRawBufferPointer) -> Int {
      guard let transfer, transfer.failure == nil else { return 0 }
      let outcome: CurlIntake
      if transfer.isDecoding {
        outcome = decode(content, of: transfer)
      } else {
        transfer.lastActivity = loop.now
        outcome = take(content, of: transfer)
      }
      switch outcome {
      case .taken: return content.count
      case .notYet: return Int(curlPause)
      case .failed: return 0
      }
    }

    /// Takes bytes as the caller is to have them.
    private func take(_ content: UnsafeRawBufferPointer, of transfer: CurlTransfer) -> CurlIntake {
      guard transfer.redirectDeadline == .max || content.count <= RedirectBody.limit - transfer.byteCount else {
        transfer.isAnswered = true
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

    /// How many steps the decoder takes before other transfers have their turn.
    private static var stepsPerTurn: Int { 4 }

    /// Decodes a piece as far as the receiver is ready for it and the others can wait. While a part of
    /// the piece isn't decoded, libcurl keeps all of it, and gives it again from its beginning.
    private func decode(_ content: UnsafeRawBufferPointer, of transfer: CurlTransfer) -> CurlIntake {
      let known = min(transfer.decoding?.taken ?? 0, content.count)
      if known < content.count { transfer.lastActivity = loop.now }
      var coded = UnsafeRawBufferPointer(rebasing: content[known...])
      let outcome = decode(&coded, of: transfer)
      switch outcome {
      case .taken: transfer.decoding?.taken -= known
      case .notYet: transfer.decoding?.taken += content.count - known - coded.count
      case .failed: break
      }
      return outcome
    }

    private func decode(_ coded: inout UnsafeRawBufferPointer, of transfer: CurlTransfer) -> CurlIntake {
      guard let decoder = transfer.decoding?.decoder else { return .failed }
      if let outcome = takeHeld(of: transfer) { return outcome }
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
          let outcome = take(content, of: transfer)
          if outcome == .notYet { transfer.decoding?.held = Data(content) }
          guard outcome == .taken else { return outcome }
        }
      }
      if transfer.decoding?.isListed == false {
        transfer.decoding?.isListed = true
        loop.decoding.append(transfer)
      }
      return .notYet
    }

    /// Removes and returns the decoded bytes that had to wait; `nil` without such bytes.
    private func takeHeld(of transfer: CurlTransfer) -> CurlIntake? {
      guard let held = transfer.decoding?.held else { return nil }
      let outcome = held.withUnsafeBytes { take($0, of: transfer) }
      guard outcome == .taken else { return outcome }
      transfer.decoding?.held = nil
      return nil
    }
  }

  /// The outcome of a piece of content.
  private enum CurlIntake {
    case taken
    /// It is to be given again later.
    case notYet
    case failed
  }

  extension CurlTransfer {
    /// Prepares to decode, if the head announces coded content and this machine can decode it.
    fileprivate func beginDecoding() {
      guard plan.decodes, plan.shape != .headOnly, head.statusCode != 304, head.statusCode != 204 else { return }
      decoding = ContentDecoder(ContentCoding.codings(of: head.fields)).map { CurlDecoding(decoder: $0) }
    }

    /// Fails a response whose framing has ended before its compressed content.
    func endDecoding() {
      guard let decoding, !isAnswered, !decoding.decoder.isAtEnd else { return }
      fail(.truncated, "the compressed content is cut off")
    }
  }
#endif
