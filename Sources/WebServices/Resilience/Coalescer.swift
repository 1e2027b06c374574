import Foundation

/// Lets requests that are equal share one exchange while it is under way. Any thread may use it.
final class Coalescer<Key: Hashable & Sendable, Member: CoalescerMember>: Sendable {
  private let flights = Locked<[Key: Flight]>([:])

  /// How many exchanges are under way.
  var count: Int { flights.withLock { $0.count } }

  /// Joins the exchange that is under way for the key, or opens one: the member that `isFirst` then has to start it,
  /// and to tell its outcome with `end(with:)`.
  ///
  /// - Parameters:
  ///   - key: what tells requests apart.
  ///   - member: takes the outcome, on the thread that tells it, unless its membership is cancelled before.
  func join(_ key: Key, as member: Member) -> Membership {
    flights.withLock { flights in
      if let flight = flights[key] {
        return Membership(flight: flight, number: flight.add(member))
      }
      let flight = Flight(key, opener: member, coalescer: self)
      flights[key] = flight
      return Membership(flight: flight, number: 1)
    }
  }

  fileprivate func complete(_ flight: Flight, with output: Member.Output) {
    // What the members hold is released here, outside the lock.
    guard let ended = flights.withLock({ flights in flight.end(in: &flights) }) else { return }
    if ended.isOpenerIn { ended.opener?.take(output, isFirst: true) }
    guard !ended.others.isEmpty else { return }
    for (_, member) in ended.others.sorted(by: { $0.key < $1.key }) { member.take(output, isFirst: false) }
  }

  fileprivate func leave(_ flight: Flight, member number: Int) -> Bool {
    let (wasIn, member, ended) = flights.withLock { flights in
      let (wasIn, member) = flight.remove(number)
      return (wasIn, member, wasIn && flight.isEmpty ? flight.end(in: &flights) : nil)
    }
    // What the member holds is released here, outside the lock.
    _ = member
    ended?.opener?.stop()
    return wasIn
  }
}

/// Takes part in an exchange.
protocol CoalescerMember: AnyObject, Sendable {
  associatedtype Output: Sendable

  /// Takes the outcome, once.
  ///
  /// - Parameter isFirst: whether it is the member that opened the exchange.
  func take(_ output: Output, isFirst: Bool)

  /// Ends the exchange: the last member has left, and its outcome isn't waited for any more. Asked of the member that
  /// opened it, which may have left long before.
  func stop()
}

extension Coalescer {
  /// One caller's part in an exchange.
  struct Membership: Sendable {
    fileprivate let flight: Flight
    fileprivate let number: Int

    /// Whether the exchange was opened with this one, and is its to start.
    var isFirst: Bool { number == 1 }

    /// Tells all members the outcome of the exchange; the second time does nothing.
    func end(with output: Member.Output) {
      flight.coalescer.complete(flight, with: output)
    }

    /// Leaves the exchange, which ends with its last member.
    ///
    /// - Returns: whether the outcome was still to come: it then never does.
    @discardableResult
    func cancel() -> Bool { flight.coalescer.leave(flight, member: number) }
  }

  /// One exchange. The lock of the coalescer's `flights` guards everything in it.
  fileprivate final class Flight: @unchecked Sendable {
    /// What has to be told, or released, outside the lock.
    struct Ended {
      var opener: Member?
      var isOpenerIn: Bool
      var others: [Int: Member]
    }

    let coalescer: Coalescer
    private let key: Key
    private var opener: Member?
    /// Whether the one that opened it still takes part. Most have no other.
    private var isOpenerIn = true
    private var others: [Int: Member] = [:]
    private var lastNumber = 1

    init(_ key: Key, opener: Member, coalescer: Coalescer) {
      self.coalescer = coalescer
      self.key = key
      self.opener = opener
    }

    func add(_ member: Member) -> Int {
      lastNumber += 1
      others[lastNumber] = member
      return lastNumber
    }

    var isEmpty: Bool { !isOpenerIn && others.isEmpty }

    /// - Returns: whether it took part. Who has left is released outside the lock.
    func remove(_ number: Int) -> (wasIn: Bool, Member?) {
      guard number == 1 else {
        let member = others.removeValue(forKey: number)
        return (member != nil, member)
      }
      defer { isOpenerIn = false }
      return (isOpenerIn && opener != nil, nil)
    }

    /// Takes the exchange out, once.
    func end(in flights: inout [Key: Flight]) -> Ended? {
      guard opener != nil else { return nil }
      flights[key] = nil
      var ended = Ended(opener: nil, isOpenerIn: isOpenerIn, others: [:])
      swap(&ended.opener, &opener)
      swap(&ended.others, &others)
      return ended
    }
  }
}
