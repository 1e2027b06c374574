/// Knows which requests are equal and share one exchange while it is under way. Any thread may use it.
///
/// The member that opens an exchange starts it, takes its outcome, and hands it on to those that have joined.
final class Coalescer<Key: Hashable & Sendable, Member: AnyObject & Sendable>: Sendable {
  /// What is left behind where a member leaves.
  enum Leaving {
    /// Others, who wait on.
    case others
    /// An exchange whose outcome nobody waits for any more, to be stopped by the member that opened it.
    case nobody(opener: Member)
    /// Nothing: the outcome was there already, or the member had left before.
    case nothing
  }

  private let state = Locked(State())

  /// How many exchanges are under way.
  var count: Int { state.withLock { $0.flights.count } }

  /// Joins the exchange that is under way for the key, or opens one: the member that `isFirst` then has to start it,
  /// and to end it.
  ///
  /// - Parameters:
  ///   - key: what tells requests apart.
  ///   - member: takes part until the exchange ends or it leaves.
  func join(_ key: Key, as member: Member) -> Membership {
    state.withLock { $0.join(key, as: member) }
  }

  /// Notes that an exchange was sent: who joins from now on joins one that is on its way.
  ///
  /// - Returns: who takes part, to be told.
  func send(_ membership: Membership) -> [Member] {
    state.withLock { $0.send(membership) }
  }

  /// Ends an exchange: who asks from now on opens another one.
  ///
  /// - Returns: who has joined and not left, in their order, to be told the outcome; nobody the second time.
  func end(_ membership: Membership) -> [Member] {
    // What is taken out is released here, outside the lock.
    guard let flight = state.withLock({ $0.remove(membership) }), !flight.joined.isEmpty else { return [] }
    return flight.joined.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Leaves an exchange. The member has to be held by who calls.
  func leave(_ membership: Membership) -> Leaving {
    state.withLock { $0.leave(membership) }
  }
}

extension Coalescer {
  /// One member's part in an exchange.
  struct Membership: Sendable {
    fileprivate let key: Key
    fileprivate let flight: UInt64
    fileprivate let number: Int
    /// Whether the exchange had been sent when the member joined.
    let isSent: Bool

    /// Whether the exchange was opened with this one, and is its to start.
    var isFirst: Bool { number == 1 }
  }

  /// One exchange.
  fileprivate struct Flight: Sendable {
    let number: UInt64
    let opener: Member
    /// Whether the one that opened it still takes part. Most have no other.
    var isOpenerIn = true
    var isSent = false
    var joined: [Int: Member] = [:]
    var lastMember = 1

    init(number: UInt64, opener: Member) {
      self.number = number
      self.opener = opener
    }
  }

  fileprivate struct State: Sendable {
    var flights: [Key: Flight] = [:]
    /// Counts the exchanges that there ever were.
    var lastFlight: UInt64 = 0
  }
}

extension Coalescer.State {
  typealias Membership = Coalescer.Membership

  mutating func join(_ key: Key, as member: Member) -> Membership {
    lastFlight += 1
    let joined = Coalescer.Flight.join(&flights[key], as: member, numberOfNext: lastFlight)
    return Membership(key: key, flight: joined.flight, number: joined.member, isSent: joined.isSent)
  }

  mutating func send(_ membership: Membership) -> [Member] {
    guard var flight = remove(membership) else { return [] }
    flight.isSent = true
    flights[membership.key] = flight
    return flight.members
  }

  mutating func remove(_ membership: Membership) -> Coalescer.Flight? {
    guard let flight = flights.removeValue(forKey: membership.key) else { return nil }
    if flight.number == membership.flight { return flight }
    // The member's own is over, and an equal one is under way since.
    flights[membership.key] = flight
    return nil
  }

  mutating func leave(_ membership: Membership) -> Coalescer.Leaving {
    guard var flight = remove(membership) else { return .nothing }
    let wasIn = flight.remove(membership.number)
    if flight.isEmpty { return .nobody(opener: flight.opener) }
    flights[membership.key] = flight
    return wasIn ? .others : .nothing
  }
}

extension Coalescer.Flight {
  typealias Joined = (flight: UInt64, member: Int, isSent: Bool)

  /// Joins an exchange, or opens the next one where none is under way.
  static func join(_ flight: inout Self?, as member: Member, numberOfNext: UInt64) -> Joined {
    if let joined = flight?.add(member) { return joined }
    flight = Self(number: numberOfNext, opener: member)
    return (numberOfNext, 1, false)
  }

  /// Who takes part, in the order in which they joined.
  var members: [Member] {
    let others = joined.sorted { $0.key < $1.key }.map(\.value)
    return isOpenerIn ? [opener] + others : others
  }

  var isEmpty: Bool { !isOpenerIn && joined.isEmpty }

  private mutating func add(_ member: Member) -> Joined {
    lastMember += 1
    joined[lastMember] = member
    return (number, lastMember, isSent)
  }

  /// - Returns: whether it took part.
  mutating func remove(_ number: Int) -> Bool {
    guard number == 1 else { return joined.removeValue(forKey: number) != nil }
    defer { isOpenerIn = false }
    return isOpenerIn
  }
}
