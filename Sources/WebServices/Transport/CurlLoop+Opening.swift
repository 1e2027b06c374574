#if os(Linux)
  import Foundation

  /// Few connections to a host that may speak HTTP/2, however many requests begin at once.
  extension CurlLoop {
    /// Whether the transfer is kept until another one's connection is open.
    func isHeld(_ transfer: CurlTransfer) -> Bool {
      guard waitsForOthers(transfer), let origin = transfer.origin, !origin.opening.isFree else { return false }
      origin.opening.hold(transfer)
      return true
    }

    /// Lets libcurl choose a connection for the transfer, so that the next one knows whether it opens one.
    func beginOpening(of transfer: CurlTransfer) {
      guard waitsForOthers(transfer), let origin = transfer.origin, !origin.opening.isSerial else { return }
      fireTimer()
      guard isConnecting(transfer) else { return didOpen(for: transfer) }
      guard origin.opening.isOpening(transfer) else { return }
      transfer.openingDeadline = CurlLoop.readClock() + CurlOpening<CurlTransfer>.patience
      watchDeadline(of: transfer)
    }

    /// The transfer's request goes out. Called by libcurl, so that nobody is started here.
    func didOpen(for transfer: CurlTransfer) {
      guard !transfer.hasOpened else { return }
      transfer.hasOpened = true
      if transfer.openingDeadline != .max { transfer.openingDeadline = now + CurlOpening<CurlTransfer>.patience }
      if let origin = transfer.origin, origin.opening.sent(transfer) { opened.append(origin) }
    }

    /// The transfer's response begins.
    func didSettle(_ transfer: CurlTransfer) {
      guard transfer.openingDeadline != .max else { return }
      transfer.openingDeadline = .max
      if let origin = transfer.origin, origin.opening.settled(transfer) { opened.append(origin) }
    }

    func opensTooLong(_ transfer: CurlTransfer) {
      transfer.openingDeadline = .max
      if let origin = transfer.origin, origin.opening.tookTooLong(transfer) { opened.append(origin) }
    }

    func endOpening(of transfer: CurlTransfer) {
      guard let origin = transfer.origin else { return }
      let version = transfer.head.version
      if origin.opening.ended(transfer, wasSent: transfer.hasOpened, version: version) { opened.append(origin) }
    }

    /// Starts those that waited for a connection which is open now, or isn't coming.
    func startHeld() {
      while let origin = opened.popLast() {
        // A transfer that has ended meanwhile has no origin.
        for transfer in origin.opening.takeHeld() where transfer.origin === origin { run(transfer) }
      }
    }

    private func waitsForOthers(_ transfer: CurlTransfer) -> Bool {
      mayMultiplex(transfer) && !needsFreshConnection(transfer)
    }
  }
#endif
