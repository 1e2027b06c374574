#if os(Linux)
  /// Decides which exchanges run and which wait: a waiting one costs no easy handle, no descriptor and no timer of
  /// libcurl's.
  struct CurlAdmission<Item: CurlAdmissionItem> {
    /// The exchanges with one scheme, host and port.
    final class Origin {
      let name: String
      fileprivate(set) var running = 0
      fileprivate(set) var waiting = CurlQueue<Item>()
      fileprivate(set) var isMultiplexed = false
      fileprivate var isListed = false
      /// Who opens a connection, where HTTP/2 is offered.
      var opening = CurlOpening<Item>()

      fileprivate init(name: String) {
        self.name = name
      }
    }

    let limitPerOrigin: Int
    let limit: Int
    /// Exchanges that share connections with each other (HTTP/2).
    static var streamsPerOrigin: Int { 400 }

    private(set) var running = 0
    private var origins: [String: Origin] = [:]
    /// Origins with exchanges that wait, in the order of their turns.
    private var turns: [Origin] = []

    init(limitPerOrigin: Int, limit: Int) {
      self.limitPerOrigin = limitPerOrigin
      self.limit = limit
    }

    /// Whether the item may run at once; else it waits for its turn.
    mutating func admit(_ item: Item, to name: String) -> Bool {
      let origin = self.origin(name)
      item.origin = origin
      if origin.waiting.isEmpty, hasRoom(origin) {
        start(origin)
        return true
      }
      item.isWaiting = true
      origin.waiting.append(item)
      list(origin)
      return false
    }

    /// What keeps an item from running.
    func wait(of item: Item) -> TransportWait {
      guard let origin = item.origin else { return .connecting }
      if origin.isMultiplexed { return .stream(origin: origin.name, limit: Self.streamsPerOrigin) }
      let isSessionFull = running >= limit && origin.running < limitPerOrigin
      return isSessionFull
        ? .sessionConnection(limit: limit) : .connection(origin: origin.name, limit: limitPerOrigin)
    }

    /// The next item whose turn it is, now running.
    mutating func next() -> Item? {
      var looks = turns.count
      var index = 0
      while looks > 0, index < turns.count {
        looks -= 1
        let origin = turns[index]
        guard !origin.waiting.isEmpty else {
          origin.isListed = false
          turns.remove(at: index)
          forgetIfUnused(origin)
          continue
        }
        guard hasRoom(origin), let item = origin.waiting.popFirst() else {
          index += 1
          continue
        }
        turns.append(turns.remove(at: index))
        item.isWaiting = false
        start(origin)
        return item
      }
      return nil
    }

    /// The item ended, running or waiting.
    mutating func release(_ item: Item) {
      guard let origin = item.origin else { return }
      item.origin = nil
      if item.isWaiting {
        item.isWaiting = false
        origin.waiting.drop()
      } else {
        origin.running -= 1
        if !origin.isMultiplexed { running -= 1 }
      }
      forgetIfUnused(origin)
    }

    /// The item's origin speaks HTTP/2: its exchanges share connections.
    mutating func multiplex(_ item: Item) {
      guard let origin = item.origin, !origin.isMultiplexed else { return }
      origin.isMultiplexed = true
      running -= origin.running
    }

    private mutating func origin(_ name: String) -> Origin {
      if let origin = origins[name] { return origin }
      let origin = Origin(name: name)
      origins[name] = origin
      return origin
    }

    private func hasRoom(_ origin: Origin) -> Bool {
      if origin.isMultiplexed { return origin.running < Self.streamsPerOrigin }
      return origin.running < limitPerOrigin && running < limit
    }

    private mutating func start(_ origin: Origin) {
      origin.running += 1
      if !origin.isMultiplexed { running += 1 }
    }

    private mutating func list(_ origin: Origin) {
      guard !origin.isListed else { return }
      origin.isListed = true
      turns.append(origin)
    }

    private mutating func forgetIfUnused(_ origin: Origin) {
      guard origin.running == 0, origin.waiting.isEmpty, !origin.isListed else { return }
      // What the host speaks isn't to be found out again.
      let isKnown = origin.isMultiplexed || origin.opening.isSerial
      if !isKnown || origins.count > 256 {
        origins[origin.name] = nil
      }
    }
  }

  /// What `CurlAdmission` knows of an exchange.
  protocol CurlAdmissionItem: AnyObject {
    /// Where it runs or waits.
    var origin: CurlAdmission<Self>.Origin? { get set }
    var isWaiting: Bool { get set }
  }

  /// First in, first out. Items that gave up stay until they are passed or outnumber the others.
  struct CurlQueue<Item: CurlAdmissionItem> {
    private var items: [Item?] = []
    private var head = 0
    private var live = 0

    var isEmpty: Bool { live == 0 }

    mutating func append(_ item: Item) {
      items.append(item)
      live += 1
    }

    mutating func popFirst() -> Item? {
      while head < items.count {
        let item = items[head]
        items[head] = nil
        head += 1
        if let item, item.isWaiting {
          live -= 1
          tidy()
          return item
        }
      }
      tidy()
      return nil
    }

    /// An item whose `isWaiting` has just been cleared doesn't count any longer.
    mutating func drop() {
      live -= 1
      tidy()
    }

    private mutating func tidy() {
      guard items.count > 64, live * 2 < items.count else { return }
      items = items[head...].filter { $0?.isWaiting == true }
      head = 0
    }
  }
#endif
