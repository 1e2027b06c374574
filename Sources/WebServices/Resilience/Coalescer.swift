import Foundation

/// Lets requests that are equal share one exchange while it is under way. Any thread may use it.
final class Coalescer<Key: Hashable & Sendable, Output: Sendable>: Sendable {
  /// Takes the outcome of an exchange.
  typealias Completion = @Sendable (Output) -> Void
  /// Ends an exchange.
  typealias Cancellation = @Sendable () -> Void

  private let flights = Locked<[Key: Flight]>([:])

  /// How many exchanges are under way.
  var count: Int { flights.withLock { $0.count } }

  /// Joins the exchange that is under way for the key, or starts one.
  ///
  /// - Parameters:
  ///   - key: what tells requests apart.
  ///   - completion: runs once, with what the exchange's own is given and on that thread, unless the membership is
  ///     cancelled before; where the exchange ends at once, before this returns.
  ///   - start: starts the exchange, here and now, and returns what ends it. Where the last member leaves, that is called
  ///     and the exchange's outcome is not waited for.
  func join(
    _ key: Key, completion: @escaping Completion, start: (@escaping Completion) -> Cancellation
  ) -> Membership {
    let (flight, member, isFirst) = flights.withLock { flights in
      if let flight = flights[key] { return (flight, flight.add(completion), false) }
      let flight = Flight(key)
      flights[key] = flight
      return (flight, flight.add(completion), true)
    }
    let membership = Membership(coalescer: self, flight: flight, number: member)
    guard isFirst else { return membership }
    let cancellation = start { [self] output in complete(flight, with: output) }
    // The first member can't leave before it is handed its membership, so what ends the exchange never comes too late.
    flights.withLock { _ in
      if !flight.isOver { flight.cancellation = cancellation }
    }
    return membership
  }

  private func complete(_ flight: Flight, with output: Output) {
    // What the closures hold is released here, outside the lock.
    let ended = flights.withLock { flights in flight.end(in: &flights) }
    for (_, completion) in ended?.members.sorted(by: { $0.key < $1.key }) ?? [] { completion(output) }
  }

  fileprivate func leave(_ flight: Flight, member: Int) -> Bool {
    let (completion, ended) = flights.withLock { flights in
      let completion = flight.remove(member)
      return (completion, completion != nil && flight.members.isEmpty ? flight.end(in: &flights) : nil)
    }
    ended?.cancellation?()
    return completion != nil
  }
}

extension Coalescer {
  /// One caller's part in an exchange.
  struct Membership: Sendable {
    fileprivate let coalescer: Coalescer
    fileprivate let flight: Flight
    fileprivate let number: Int

    /// Leaves the exchange, which ends with its last member.
    ///
    /// - Returns: whether the completion was still to come: it then never runs.
    @discardableResult
    func cancel() -> Bool { coalescer.leave(flight, member: number) }
  }

  /// One exchange. The lock of the coalescer's `flights` guards everything in it.
  fileprivate final class Flight: @unchecked Sendable {
    private let key: Key
    private(set) var members: [Int: Completion] = [:]
    private var lastNumber = 0
    private(set) var isOver = false
    var cancellation: Cancellation?

    init(_ key: Key) {
      self.key = key
    }

    func add(_ completion: @escaping Completion) -> Int {
      lastNumber += 1
      members[lastNumber] = completion
      return lastNumber
    }

    func remove(_ number: Int) -> Completion? {
      members.removeValue(forKey: number)
    }

    /// Takes the exchange out, once.
    func end(
      in flights: inout [Key: Flight]
    ) -> (members: [Int: Completion], cancellation: Cancellation?)? {
      guard !isOver else { return nil }
      isOver = true
      flights[key] = nil
      defer { (members, cancellation) = ([:], nil) }
      return (members, cancellation)
    }
  }
}
