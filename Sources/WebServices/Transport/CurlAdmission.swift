#if os(Linux)
  /// Decides which transfers run and which wait, because libcurl's own queue would hold an easy handle for each of
  /// them.
  ///
  /// Call `admit` for a new transfer and `release` for an ended one. Then call `next` until it returns `nil`.
  struct CurlAdmission<Item: CurlAdmissionItem> {
    /// The transfers with one scheme, host and port.
    final class Origin {
      let name: String
      fileprivate(set) var running = 0
      fileprivate(set) var waiting = CurlQueue<Item>()
      /// Whether the origin speaks HTTP/2. Its transfers then don't count towards the session's connections.
      fileprivate(set) var isMultiplexed = false
      /// Whether the origin is in `turns`.
      fileprivate var isListed = false
      /// The transfer that opens a connection, where HTTP/2 is offered.
      var opening = CurlOpening<Item>()

      fileprivate init(name: String) {
        self.name = name
      }
    }

    let limitPerOrigin: Int
    let limit: Int
    /// The most transfers at a time to an origin that speaks HTTP/2, where transfers share connections.
    static var streamsPerOrigin: Int { 400 }

    /// The running transfers of all origins that don't speak HTTP/2. Each of them has its own connection.
    private(set) var running = 0
    private var origins: [String: Origin] = [:]
    /// The origins with waiting transfers, in the order of their turns. An origin may stay here after its last waiting
    /// transfer was cancelled, because searching the array at each cancel would take too long.
    private var turns: [Origin] = []

    init(limitPerOrigin: Int, limit: Int) {
      self.limitPerOrigin = limitPerOrigin
      self.limit = limit
    }

    /// Admits an item.
    ///
    /// - Returns: whether the item may run at once. Otherwise `next()` returns it when its turn comes.
    mutating func admit(_ item: Item, to name: String) -> Bool {
      let origin = self.origin(name)
      item.origin = origin
      // A new transfer must not pass those that wait already.
      if origin.waiting.isEmpty, hasRoom(origin) {
        start(origin)
        return true
      }
      item.place = origin.waiting.append(item)
      addToTurns(origin)
      return false
    }

    /// The reason why an item doesn't run yet.
    func wait(of item: Item) -> UnsentReason {
      guard let origin = item.origin else { return .connecting }
      if origin.isMultiplexed { return .stream(origin: origin.name, limit: Self.streamsPerOrigin) }
      let isSessionFull = running >= limit && origin.running < limitPerOrigin
      return isSessionFull
        ? .sessionConnection(limit: limit) : .connection(origin: origin.name, limit: limitPerOrigin)
    }

    /// Starts the first waiting item that has room, and returns it; `nil` if all have to wait.
    mutating func next() -> Item? {
      var looks = turns.count
      var index = 0
      while looks > 0, index < turns.count {
        looks -= 1
        let origin = turns[index]
        guard !origin.waiting.isEmpty else {
          // All waiting transfers of this origin were cancelled.
          origin.isListed = false
          turns.remove(at: index)
          forgetIfUnused(origin)
          continue
        }
        guard hasRoom(origin), let item = origin.waiting.popFirst() else {
          index += 1
          continue
        }
        // The origin goes to the end, so that one busy host doesn't hold up all others.
        turns.append(turns.remove(at: index))
        item.place = nil
        start(origin)
        return item
      }
      return nil
    }

    /// Forgets an item that has ended, running or waiting. Later calls do nothing.
    mutating func release(_ item: Item) {
      guard let origin = item.origin else { return }
      item.origin = nil
      if let place = item.place {
        item.place = nil
        origin.waiting.remove(place)
      } else {
        origin.running -= 1
        if !origin.isMultiplexed { running -= 1 }
      }
      forgetIfUnused(origin)
    }

    /// Notes that the item's origin speaks HTTP/2, so that its transfers share connections. The change is never undone.
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

    private mutating func addToTurns(_ origin: Origin) {
      guard !origin.isListed else { return }
      origin.isListed = true
      turns.append(origin)
    }

    private mutating func forgetIfUnused(_ origin: Origin) {
      guard origin.running == 0, origin.waiting.isEmpty, !origin.isListed else { return }
      // An origin is kept if its version of HTTP is known, because finding that out again would cost connections.
      // Beyond 256 origins it is forgotten, so that a program that calls ever new hosts doesn't fill the memory.
      let isKnown = origin.isMultiplexed || origin.opening.isSerial
      if !isKnown || origins.count > 256 {
        origins[origin.name] = nil
      }
    }
  }

  /// The part of a transfer that `CurlAdmission` knows.
  protocol CurlAdmissionItem: AnyObject {
    /// The origin to which the item runs or waits.
    var origin: CurlAdmission<Self>.Origin? { get set }
    /// The item's place in the queue of its origin; `nil` for one that runs.
    var place: Int? { get set }
  }

  /// A first-in, first-out queue from which any item can be removed, because a waiting transfer may be cancelled.
  struct CurlQueue<Item> {
    private var items: [Int: Item] = [:]
    private var places = 0..<0

    var isEmpty: Bool { items.isEmpty }

    /// - Returns: the place of the item, for `remove(_:)`.
    mutating func append(_ item: Item) -> Int {
      // Otherwise `popFirst()` would step over the places of all items that were removed.
      if items.isEmpty { places = places.upperBound..<places.upperBound }
      items[places.upperBound] = item
      places = places.lowerBound..<places.upperBound + 1
      return places.upperBound - 1
    }

    mutating func popFirst() -> Item? {
      while let first = places.first {
        places = places.dropFirst()
        if let item = items.removeValue(forKey: first) { return item }
      }
      return nil
    }

    mutating func remove(_ place: Int) {
      items[place] = nil
    }
  }
#endif
