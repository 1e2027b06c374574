#if os(Linux)
  /// Decides which transfers to one scheme, host and port run, and which wait.
  ///
  /// libcurl's own queue would hold an easy handle for each waiting transfer. Over HTTP/2 transfers share connections,
  /// but libcurl opens one for each request that comes before it knows the version and the number of streams. So one
  /// transfer at a time, the opener, opens a connection, and most others wait until its response begins.
  ///
  /// Call `admit` for a new transfer and `release` for an ended one, and report the progress with the other functions.
  /// Then call `next` until it returns `nil`.
  final class CurlOrigin<Item: AnyObject> {
    /// The most transfers at a time over HTTP/2.
    static var streams: Int { 400 }
    /// How many requests may join the opener's before its response begins. Nearly every server allows more.
    static var earlyStreams: Int { 8 }
    /// How long other transfers wait for the opener's connection, in nanoseconds. They wait a tenth of this for its
    /// response, because the server's settings come before the response.
    static var longestWait: UInt64 { 1_000_000_000 }

    let name: String
    /// The proxy through which libcurl connects; empty for none.
    let proxy: String
    /// Whether the server may choose HTTP/2 for a connection.
    let offersHTTP2: Bool
    /// The header fields of the last response, unless they are long.
    var fields: [HTTPHeaders.Field] = []
    /// The most transfers at a time where each has its own connection.
    private let limit: Int
    private var running = 0
    private var waiting = WaitingQueue<ObjectIdentifier, Item>()
    /// Whether transfers share connections; `nil` until a response shows that. A connection that doesn't open in time
    /// makes it `false`, so that each transfer opens its own.
    private(set) var isShared: Bool?
    private var opener: Item?
    /// How many requests may join the opener's now.
    private var room = 0

    init(name: String, limit: Int, offersHTTP2: Bool, proxy: String = "") {
      self.name = name
      self.proxy = proxy
      self.offersHTTP2 = offersHTTP2
      self.limit = limit
      isShared = offersHTTP2 ? nil : false
    }

    /// Whether a transfer waits.
    var isAwaited: Bool { !waiting.isEmpty }
    var isUnused: Bool { running == 0 && !isAwaited }

    /// The reason why a transfer waits.
    var wait: UnsentReason {
      guard !hasPlace else { return .connecting }
      return isShared == true ? .stream(origin: name, limit: Self.streams) : .connection(origin: name, limit: limit)
    }

    private var hasPlace: Bool { running < (isShared == true ? Self.streams : limit) }
    private var canStart: Bool { hasPlace && (opener == nil || isShared == false || room > 0) }

    /// Admits a transfer.
    ///
    /// - Returns: whether the transfer may run at once. Otherwise `next()` returns it when its turn comes.
    func admit(_ item: Item) -> Bool {
      // A new transfer must not pass those that wait already.
      guard waiting.isEmpty, canStart else {
        waiting.append(item, for: ObjectIdentifier(item))
        return false
      }
      running += 1
      return true
    }

    /// Starts the first waiting transfer, and returns it; `nil` if all have to wait.
    func next() -> Item? {
      guard canStart, let item = waiting.popFirst() else { return nil }
      running += 1
      return item
    }

    /// Forgets a transfer that has ended, running or waiting.
    func release(_ item: Item) {
      if waiting.remove(ObjectIdentifier(item)) == nil { running -= 1 }
      stopOpening(item)
    }

    // MARK: Opening a connection

    /// The transfer's request didn't go out at once: libcurl opens a connection.
    ///
    /// - Returns: whether other transfers wait for this one.
    func beginOpening(_ item: Item) -> Bool {
      // The open connection has room, so one that speaks HTTP/2 would have taken the request.
      if opener != nil { isShared = false }
      guard isShared != false else { return false }
      (opener, room) = (item, 0)
      return true
    }

    /// The transfer's request is sent.
    func requestSent(_ item: Item) { room = opener === item ? Self.earlyStreams : max(0, room - 1) }

    /// The transfer's response begins.
    func responseBegan(_ item: Item, version: Int) {
      isShared = version > 1
      stopOpening(item)
    }

    /// The transfer has waited too long for its connection, or else for its response.
    func openingTookTooLong(_ item: Item, isConnected: Bool) {
      if !isConnected { isShared = false }
      stopOpening(item)
    }

    private func stopOpening(_ item: Item) { if opener === item { opener = nil } }
  }

  /// The loop's reports to `CurlOrigin`. Only the thread that drives libcurl calls these functions.
  extension CurlLoop {
    func origin(of address: URLOrigin) -> CurlOrigin<CurlTransfer> {
      if let origin = origins[address.text] { return origin }
      let origin = CurlOrigin<CurlTransfer>(
        name: address.text, limit: configuration.connectionsPerHost,
        offersHTTP2: address.isSecure && configuration.isHTTP2Enabled,
        // For a proxy, `localhost` is another machine, to which a request that needs no TLS would go in the clear.
        proxy: address.isLoopback ? "" : address.isSecure ? proxy.secure : proxy.plain)
      origins[origin.name] = origin
      return origin
    }

    /// The transfer's request goes out. A callback of libcurl calls this, so no waiting transfer is started here.
    func requestSent(for transfer: CurlTransfer) {
      guard !transfer.hasOpened else { return }
      (transfer.hasOpened, transfer.waitDeadline) = (true, .max)
      if transfer.openingDeadline != .max {
        transfer.openingDeadline = now + CurlOrigin<CurlTransfer>.longestWait / 10
        watchDeadline(of: transfer)
      }
      noteChange(of: transfer.origin) { $0.requestSent(transfer) }
    }

    /// The transfer's response has its first line.
    func responseBegan(for transfer: CurlTransfer) {
      transfer.openingDeadline = .max
      noteChange(of: transfer.origin) { $0.responseBegan(transfer, version: transfer.head.version) }
    }

    /// The transfer has not got a connection or a response in time.
    func openingTookTooLong(for transfer: CurlTransfer) {
      transfer.openingDeadline = .max
      noteChange(of: transfer.origin) { $0.openingTookTooLong(transfer, isConnected: transfer.hasOpened) }
    }

    func noteChange(of origin: CurlOrigin<CurlTransfer>?, _ change: (CurlOrigin<CurlTransfer>) -> Void) {
      guard let origin else { return }
      change(origin)
      if origin.isAwaited { changedOrigins.append(origin) }
    }

    /// Starts the waiting transfers that may run now.
    func startNext() {
      while let origin = changedOrigins.popLast() {
        while let transfer = origin.next() {
          transfer.wait(for: .connecting)
          begin(transfer)
        }
      }
    }
  }
#endif
