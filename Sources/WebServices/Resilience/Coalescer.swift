import Foundation

/// Lets requests that are equal share one exchange while it is under way. Any thread may use it.
final class Coalescer<Key: Hashable & Sendable, Output: Sendable>: Sendable {
  /// Takes the outcome of an exchange.
  typealias Completion = @Sendable (Output) -> Void
  /// Ends an exchange.
  typealias Cancellation = @Sendable () -> Void

  fileprivate struct Flight {
    var number: UInt64
    var members: [UInt64: Completion]
    var cancellation: Cancellation?
  }

  fileprivate struct State {
    var flights: [Key: Flight] = [:]
    var lastNumber: UInt64 = 0
  }

  /// One caller's part in an exchange.
  struct Membership: Sendable {
    fileprivate let leave: @Sendable () -> Bool

    /// Leaves the exchange, which ends with its last member.
    ///
    /// - Returns: whether the completion was still to come: it then never runs.
    @discardableResult
    func cancel() -> Bool { leave() }
  }

  private let state = Locked(State())

  /// How many exchanges are under way.
  var count: Int { state.withLock { $0.flights.count } }

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
    let (flight, member, isFirst) = state.withLock { $0.join(key, completion) }
    let membership = Membership { [self] in leave(key, flight: flight, member: member) }
    guard isFirst else { return membership }
    let cancellation = start { [self] output in complete(key, flight: flight, with: output) }
    // The first member can't leave before it is handed its membership, so what ends the exchange never comes too late.
    state.withLock { state in
      if state.flights[key]?.number == flight { state.flights[key]?.cancellation = cancellation }
    }
    return membership
  }

  private func complete(_ key: Key, flight: UInt64, with output: Output) {
    let ended: Flight? = state.withLock { state in
      guard state.flights[key]?.number == flight else { return nil }
      return state.flights.removeValue(forKey: key)
    }
    guard let ended else { return }
    for member in ended.members.sorted(by: { $0.key < $1.key }) { member.value(output) }
  }

  private func leave(_ key: Key, flight: UInt64, member: UInt64) -> Bool {
    let (completion, cancellation) = state.withLock { $0.leave(key, flight: flight, member: member) }
    cancellation?()
    return completion != nil
  }
}

extension Coalescer.State {
  fileprivate mutating func join(
    _ key: Key, _ completion: @escaping Coalescer.Completion
  ) -> (flight: UInt64, member: UInt64, isFirst: Bool) {
    lastNumber += 1
    guard let flight = flights[key]?.number else {
      flights[key] = Coalescer.Flight(number: lastNumber, members: [lastNumber: completion])
      return (lastNumber, lastNumber, true)
    }
    flights[key]?.members[lastNumber] = completion
    return (flight, lastNumber, false)
  }

  fileprivate mutating func leave(
    _ key: Key, flight: UInt64, member: UInt64
  ) -> (Coalescer.Completion?, Coalescer.Cancellation?) {
    guard flights[key]?.number == flight, let completion = flights[key]?.members.removeValue(forKey: member) else {
      return (nil, nil)
    }
    guard flights[key]?.members.isEmpty == true else { return (completion, nil) }
    let ended = flights.removeValue(forKey: key)
    return (completion, ended?.cancellation)
  }
}
