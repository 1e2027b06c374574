import Foundation

/// Lets requests that are equal share one exchange while it is under way. Any thread may use it.
final class Coalescer<Key: Hashable & Sendable, Member: CoalescerMember>: Sendable {
  private let flights = Locked<[Key: Flight]>([:])

  /// How many exchanges are under way.
  var count: Int { flights.withLock { $0.count } }

  /// Joins the exchange that is under way for the key, or opens one: the member that `isFirst` then has to start it, say
  /// with `keep(_:)` what ends it, and tell its outcome with `end(with:)`.
  ///
  /// - Parameters:
  ///   - key: what tells requests apart.
  ///   - member: takes the outcome, on the thread that tells it, unless its membership is cancelled before.
  func join(_ key: Key, as member: Member) -> Membership {
    flights.withLock { flights in
      if let flight = flights[key] {
        return Membership(coalescer: self, flight: flight, number: flight.add(member))
      }
      let flight = Flight(key, first: member)
      flights[key] = flight
      return Membership(coalescer: self, flight: flight, number: 1)
    }
  }

  fileprivate func complete(_ flight: Flight, with output: Member.Output) {
    // What the members hold is released here, outside the lock.
    guard let ended = flights.withLock({ flights in flight.end(in: &flights) }) else { return }
    ended.first?.take(output, isFirst: true)
    guard !ended.others.isEmpty else { return }
    for (_, member) in ended.others.sorted(by: { $0.key < $1.key }) { member.take(output, isFirst: false) }
  }

  fileprivate func keep(_ task: any URLSessionTaskProtocol, of flight: Flight) {
    flights.withLock { _ in
      if !flight.isOver { flight.task = task }
    }
  }

  fileprivate func leave(_ flight: Flight, member number: Int) -> Bool {
    let (member, ended) = flights.withLock { flights in
      let member = flight.remove(number)
      return (member, member != nil && flight.isEmpty ? flight.end(in: &flights) : nil)
    }
    ended?.task?.cancel()
    return member != nil
  }
}

/// Takes part in an exchange.
protocol CoalescerMember: AnyObject, Sendable {
  associatedtype Output: Sendable

  /// Takes the outcome, once.
  ///
  /// - Parameter isFirst: whether it is the member that opened the exchange.
  func take(_ output: Output, isFirst: Bool)
}

extension Coalescer {
  /// One caller's part in an exchange.
  struct Membership: Sendable {
    fileprivate let coalescer: Coalescer
    fileprivate let flight: Flight
    fileprivate let number: Int

    /// Whether the exchange was opened with this one, and is its to start.
    var isFirst: Bool { number == 1 }

    /// Says what ends the exchange where the last member leaves: its outcome isn't waited for then. The first member
    /// doesn't leave before it has said so.
    func keep(_ task: any URLSessionTaskProtocol) {
      coalescer.keep(task, of: flight)
    }

    /// Tells all members the outcome of the exchange; the second time does nothing.
    func end(with output: Member.Output) {
      coalescer.complete(flight, with: output)
    }

    /// Leaves the exchange, which ends with its last member.
    ///
    /// - Returns: whether the outcome was still to come: it then never does.
    @discardableResult
    func cancel() -> Bool { coalescer.leave(flight, member: number) }
  }

  /// One exchange. The lock of the coalescer's `flights` guards everything in it.
  fileprivate final class Flight: @unchecked Sendable {
    /// What has to be told, or released, outside the lock.
    struct Ended {
      var first: Member?
      var others: [Int: Member]
      var task: (any URLSessionTaskProtocol)?
    }

    private let key: Key
    /// The one that opened it. Most have no other.
    private var first: Member?
    private var others: [Int: Member] = [:]
    private var lastNumber = 1
    private(set) var isOver = false
    /// What ends it.
    var task: (any URLSessionTaskProtocol)?

    init(_ key: Key, first: Member) {
      self.key = key
      self.first = first
    }

    func add(_ member: Member) -> Int {
      lastNumber += 1
      others[lastNumber] = member
      return lastNumber
    }

    var isEmpty: Bool { first == nil && others.isEmpty }

    func remove(_ number: Int) -> Member? {
      guard number == 1 else { return others.removeValue(forKey: number) }
      defer { first = nil }
      return first
    }

    /// Takes the exchange out, once.
    func end(in flights: inout [Key: Flight]) -> Ended? {
      guard !isOver else { return nil }
      isOver = true
      flights[key] = nil
      var ended = Ended(first: nil, others: [:], task: nil)
      swap(&ended.first, &first)
      swap(&ended.others, &others)
      swap(&ended.task, &task)
      return ended
    }
  }
}
