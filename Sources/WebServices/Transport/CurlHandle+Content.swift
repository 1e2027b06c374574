#if os(Linux)
  internal import CurlShim
  import Foundation

  /// Receives a response. libcurl calls these functions on the thread that drives it.
  extension CurlHandle {
    /// Passes a line of a head, or of the trailers, to `CurlHead`.
    ///
    /// - Returns: the number of bytes; 0 to end the transfer.
    func didReceive(line: UnsafeRawBufferPointer) -> Int {
      guard let transfer, transfer.failure == nil else { return 0 }
      transfer.lastActivity = loop.now
      let hadVersion = transfer.head.version != 0
      let step = transfer.head.parse(line)
      if !hadVersion, transfer.head.version != 0 { loop.responseBegan(for: transfer) }
      switch step {
      case .more: return line.count
      case .complete: return didReceiveHead(transfer) ? line.count : 0
      case .refused(let kind, let reason):
        transfer.fail(.sent(kind, reason))
        return 0
      }
    }

    /// Prepares for the content that a final head announces.
    ///
    /// - Returns: `false` to end the transfer.
    func didReceiveHead(_ transfer: CurlTransfer) -> Bool {
      // A long head isn't kept, so that no server fills the memory.
      transfer.origin?.fields = transfer.head.byteCount <= 16 * 1024 ? transfer.head.fields : []
      if forbidsReuse != (loop.openCount > CurlLoop.mostKept) {
        forbidsReuse.toggle()
        set(curlOptionForbidReuse, forbidsReuse ? 1 : 0)
      }
      // The transport decodes only the codings that it has named itself. No part of coded content can be decoded alone.
      if transfer.head.hasCoding, transfer.head.statusCode != 206, transfer.request.headers["Accept-Encoding"] == nil {
        transfer.decoder = ContentCoding.coding(of: transfer.head.headers).flatMap(ContentDecoder.init)
      }
      if transfer.source != nil { loop.interrupted.append(transfer) }
      guard !transfer.isFollowed || beginRedirect(transfer) else { return false }
      if let gate = transfer.gate {
        if let response = transfer.response(metrics: nil) { gate.begin(response) }
        return true
      }
      guard transfer.decoder == nil, let length = transfer.head.contentLength else { return true }
      let limit = transfer.request.responseLimit
      guard length <= limit else {
        transfer.fail(.sent(.tooLarge, "the response has \(length) bytes, more than \(limit)"))
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
      let length = transfer.head.contentLength
      guard length != 0 else { return true }
      transfer.hasResponse = length.map { $0 > RedirectBody.limit } ?? false
      transfer.waitDeadline = loop.now + UInt64(RedirectBody.longestWait * 1_000_000_000)
      loop.watchDeadline(of: transfer)
      return !transfer.hasResponse
    }

    /// Receives a piece of the content.
    ///
    /// - Returns: the number of bytes; `curlPause` if libcurl has to give the piece again; 0 to end the transfer.
    func didReceive(content: UnsafeRawBufferPointer) -> Int {
      guard let transfer, transfer.failure == nil else { return 0 }
      transfer.lastActivity = loop.now
      let taken = transfer.decoder.map { decode(content, of: transfer, with: $0) } ?? store(content, of: transfer)
      guard taken == content.count else { return taken }
      // libcurl reads no more than the announced length.
      transfer.codedCount += Int64(taken)
      // Over HTTP/2, such bytes are frames.
      let isWhole = transfer.head.version == 1 && transfer.codedCount == transfer.head.contentLength
      hasUnreadTLS = isWhole && curlShimEasyHasUnreadTLS(easy)
      return taken
    }

    /// Stores decoded bytes in the response, or passes them to the receiver.
    ///
    /// - Returns: the result for libcurl, as `didReceive(content:)` does.
    private func store(_ content: UnsafeRawBufferPointer, of transfer: CurlTransfer) -> Int {
      // Enough of a followed redirect's body has arrived. `hasResponse` makes the ended transfer a success.
      guard transfer.waitDeadline == .max || content.count <= RedirectBody.limit - transfer.byteCount else {
        transfer.hasResponse = true
        return 0
      }
      if let gate = transfer.gate {
        guard isReceiverReady(transfer) else { return Int(curlPause) }
        gate.add(Data(content))
      } else {
        let limit = transfer.request.responseLimit
        // Decoded content may exceed the limit although the announced length doesn't.
        guard content.count <= limit - transfer.byteCount else {
          transfer.fail(.tooLarge(limit: limit, response: nil))
          return 0
        }
        transfer.body.append(contentsOf: content)
      }
      transfer.byteCount += content.count
      return content.count
    }

    /// Whether the receiver can take a piece. Otherwise libcurl pauses until the receiver is ready.
    private func isReceiverReady(_ transfer: CurlTransfer) -> Bool {
      let isReady = transfer.gate?.isIdle { transfer.driver.post(.resume(transfer, curlPauseReceiving)) } ?? true
      if !isReady { transfer.paused |= curlPauseReceiving }
      return isReady
    }

    // MARK: Decoding

    /// How many steps the decoder makes before other transfers have their turn.
    private static var stepsPerTurn: Int { 4 }

    /// Decodes as much of a piece as the receiver is ready for, in a bounded number of steps.
    ///
    /// After a pause libcurl gives the whole piece again. `ContentDecoder.taken` counts the bytes of the piece that are
    /// decoded already.
    private func decode(
      _ content: UnsafeRawBufferPointer, of transfer: CurlTransfer, with decoder: ContentDecoder
    ) -> Int {
      let known = min(decoder.taken, content.count)
      var coded = UnsafeRawBufferPointer(rebasing: content[known...])
      let room = UnsafeMutableRawBufferPointer.allocate(byteCount: ContentDecoder.pieceSize, alignment: 16)
      defer { room.deallocate() }
      var steps = 0
      while steps < Self.stepsPerTurn, isReceiverReady(transfer) {
        steps += 1
        switch decoder.step(&coded, into: room) {
        case .needsInput:
          decoder.taken -= known
          return content.count
        case .failed:
          transfer.fail(.sent(.badEncoding, "the content doesn't match its Content-Encoding"))
          return 0
        case .bytes(let count):
          let decoded = UnsafeRawBufferPointer(rebasing: room[..<count])
          guard count == 0 || store(decoded, of: transfer) == count else { return 0 }
        }
      }
      decoder.taken += content.count - known - coded.count
      // The loop continues with this transfer in its next turn.
      if steps == Self.stepsPerTurn, !decoder.isListed {
        decoder.isListed = true
        loop.interrupted.append(transfer)
      }
      return Int(curlPause)
    }
  }
#endif
