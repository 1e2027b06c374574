#if os(Linux)
  /// Lets one transfer at a time open a connection to a host that may speak HTTP/2.
  ///
  /// libcurl opens a connection for each request that finds none with room. It doesn't wait for a connection that is
  /// being opened, although that would have room for all. Without this type 300 requests at once opened up to 64
  /// connections.
  ///
  /// Give a transfer to libcurl only if `isFree` is `true`, and `hold` the transfer otherwise. Then report the progress
  /// of the transfer with `startedOpening`, `requestSent`, `responseBegan` and `transferEnded`, or `tookTooLong`. If one
  /// of the last four returns `true`, run the transfers that `removeHeld()` returns.
  struct CurlOpening<Item: AnyObject> {
    /// How long other transfers wait for the opener's connection, and then for its response, in nanoseconds.
    static var longestWait: UInt64 { 1_000_000_000 }

    /// The transfer that opens a connection, until its response begins: the host has then said how many requests may
    /// share the connection.
    private(set) var opener: Item?
    /// Whether the host takes one request at a time on a connection.
    private(set) var isSerial = false
    /// Whether the last opener didn't connect within `longestWait`, and nothing has gone out since.
    private(set) var isHung = false
    /// Whether the opener's request has gone out.
    private var isConnected = false
    /// How many more requests may join the opener's before its response begins.
    private var room = 0
    /// How many requests share a connection. libcurl assumes 100 until the server says so, and a server refuses more.
    private var streams = 100
    private var connectionCount = 0
    private var held: [Item] = []
    /// The number of running transfers whose requests were sent.
    private var sentCount = 0

    /// Whether a transfer may be given to libcurl now.
    var isFree: Bool { opener == nil || isSerial || isHung || (isConnected && room > 0) }

    /// Keeps the transfer until `removeHeld()`.
    mutating func hold(_ item: Item) {
      held.append(item)
    }

    /// The transfer was given to libcurl, and its request didn't go out at once: a connection is being opened.
    ///
    /// - Returns: whether other transfers wait for this one.
    mutating func startedOpening(_ item: Item) -> Bool {
      // libcurl opens a second connection although only one request was sent: the host speaks HTTP/1.
      if sentCount == 1 { isSerial = true }
      guard !isSerial, !isHung, opener == nil || isConnected else { return false }
      // The open connections are full, so their load shows how many requests share one.
      if connectionCount > 0 { streams = max(1, min(streams, sentCount / connectionCount)) }
      opener = item
      isConnected = false
      return true
    }

    /// The transfer's request is sent.
    ///
    /// - Returns: whether the held transfers may continue.
    mutating func requestSent(_ item: Item) -> Bool {
      sentCount += 1
      isHung = false
      guard opener === item else {
        room -= 1
        return false
      }
      isConnected = true
      connectionCount += 1
      room = streams - 1
      return room > 0 && !held.isEmpty
    }

    /// The transfer's response begins.
    ///
    /// - Returns: whether the held transfers may continue.
    mutating func responseBegan(_ item: Item) -> Bool { removeOpener(item) }

    /// The transfer is over.
    ///
    /// - Parameters:
    ///   - wasSent: whether `requestSent(_:)` was called for the transfer.
    ///   - version: the major version of HTTP of its response; 0 without a response.
    /// - Returns: whether the held transfers may continue.
    mutating func transferEnded(_ item: Item, wasSent: Bool, version: Int) -> Bool {
      if wasSent { sentCount -= 1 }
      // libcurl doesn't say how many idle connections are still open. The library assumes one.
      if sentCount == 0 { connectionCount = min(connectionCount, 1) }
      if version > 0 { isSerial = version == 1 }
      return removeOpener(item)
    }

    /// The transfer has been opening a connection for too long, so other transfers open theirs.
    ///
    /// - Returns: whether the held transfers may continue.
    mutating func tookTooLong(_ item: Item) -> Bool {
      if opener === item, !isConnected { isHung = true }
      return removeOpener(item)
    }

    /// Removes the opener if it is this transfer. Returns whether held transfers were waiting for it.
    private mutating func removeOpener(_ item: Item) -> Bool {
      guard opener === item else { return false }
      opener = nil
      return !held.isEmpty
    }

    /// Removes and returns the held transfers, in their order. The caller holds again the transfers that it can't start.
    mutating func removeHeld() -> [Item] {
      defer { held = [] }
      return held
    }
  }

  /// The loop's reports to `CurlOpening`. Only the thread that drives libcurl calls these functions.
  extension CurlLoop {
    /// Holds the transfer if another one is opening a connection. Returns whether it did.
    func holdIfBusy(_ transfer: CurlTransfer) -> Bool {
      guard canShareConnection(transfer), let origin = transfer.origin, !origin.opening.isFree else { return false }
      origin.opening.hold(transfer)
      return true
    }

    /// Lets libcurl choose a connection for the transfer now. If libcurl opens a new one, the next transfers are held.
    func beginOpening(of transfer: CurlTransfer) {
      guard canShareConnection(transfer), let origin = transfer.origin, !origin.opening.isSerial else { return }
      // libcurl chooses when its timer fires, and a new request sets the timer to now.
      fireTimer()
      guard isConnecting(transfer) else { return requestSent(for: transfer) }
      guard origin.opening.startedOpening(transfer) else { return }
      transfer.openingDeadline = CurlLoop.readClock() + CurlOpening<CurlTransfer>.longestWait
      watchDeadline(of: transfer)
    }

    /// The transfer's request goes out. A callback of libcurl calls this, so no held transfer is started here.
    func requestSent(for transfer: CurlTransfer) {
      guard !transfer.hasOpened else { return }
      transfer.hasOpened = true
      if transfer.openingDeadline != .max { transfer.openingDeadline = now + CurlOpening<CurlTransfer>.longestWait }
      if let origin = transfer.origin, origin.opening.requestSent(transfer) { opened.append(origin) }
    }

    /// The transfer's response begins.
    func responseBegan(for transfer: CurlTransfer) {
      guard transfer.openingDeadline != .max else { return }
      transfer.openingDeadline = .max
      if let origin = transfer.origin, origin.opening.responseBegan(transfer) { opened.append(origin) }
    }

    /// The transfer has not got a connection or a response in time.
    func openingTookTooLong(for transfer: CurlTransfer) {
      transfer.openingDeadline = .max
      if let origin = transfer.origin, origin.opening.tookTooLong(transfer) { opened.append(origin) }
    }

    /// The transfer is over. Call this before the transfer loses its origin.
    func endOpening(of transfer: CurlTransfer) {
      guard let origin = transfer.origin else { return }
      let version = transfer.head.version
      if origin.opening.transferEnded(transfer, wasSent: transfer.hasOpened, version: version) { opened.append(origin) }
    }

    /// Starts the transfers that waited for a connection which is open now, or isn't coming.
    func startHeld() {
      while let origin = opened.popLast() {
        // A transfer that has ended meanwhile has no origin.
        for transfer in origin.opening.removeHeld() where transfer.origin === origin { run(transfer) }
      }
    }

    /// Whether the transfer can share a connection.
    private func canShareConnection(_ transfer: CurlTransfer) -> Bool {
      mayMultiplex(transfer) && !needsFreshConnection(transfer)
    }
  }
#endif
