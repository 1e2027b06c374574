/// The requests of a service that are on their way, until it takes no more.
final class RunRegistry: Sendable {
  typealias Slot = SlotTable<RequestRun>.Slot

  /// Whom requests with a token are sent for, counted in sign-outs. A follow-up request is sent only while its identity
  /// is still the registry's.
  struct Identity: Equatable, Comparable, Sendable {
    private let number: Int

    /// That of a request that needs no token: no sign-out concerns it.
    static let none = Identity(number: 0)
    /// That of a request whose work began with a service that has been shut down: it is never sent.
    static let ended = Identity(number: -1)
    static let first = Identity(number: 1)

    var next: Identity { Identity(number: number + 1) }

    static func < (left: Identity, right: Identity) -> Bool { left.number < right.number }
  }

  /// What comes of a run that asks for a place.
  enum Admission {
    case taken(Slot)
    /// The service was shut down.
    case closed
    /// The run belongs to someone who has signed out, or to a service that was shut down.
    case formerIdentity
  }

  private struct State: Sendable {
    var isOpen = true
    /// Moves on with each sign-out, in the same step in which the runs to be cancelled are found.
    var identity = Identity.first
    var runs = SlotTable<RequestRun>()

    func admits(_ identity: Identity) -> Bool { isOpen && (identity == .none || identity == self.identity) }
  }

  private let state = Locked(State())

  func insert(_ run: RequestRun) -> Admission {
    state.withLock { state in
      guard state.isOpen else { return .closed }
      return state.admits(run.identity) ? .taken(state.runs.insert(run)) : .formerIdentity
    }
  }

  func remove(_ slot: Slot) {
    let run = state.withLock { $0.runs.remove(slot) }
    // What it holds is released here, outside the lock.
    _ = run
  }

  subscript(slot: Slot) -> RequestRun? { state.withLock { $0.runs[slot] } }

  /// Whether runs are taken, and those that are taken may send.
  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Whom requests with a token are sent for now.
  var identity: Identity { state.withLock { $0.identity } }

  /// Whether a request of this identity may be sent: nobody has signed out since, and the service is open.
  func admits(_ identity: Identity) -> Bool { state.withLock { $0.admits(identity) } }

  /// Moves on to the next identity: from now on no follow-up request of the former one is admitted.
  ///
  /// - Returns: the next identity, and the former one's runs, which are to be cancelled.
  func changeIdentity() -> (next: Identity, former: [RequestRun]) {
    state.withLock { state in
      state.identity = state.identity.next
      return (state.identity, state.runs.values.filter(\.needsToken))
    }
  }

  /// Takes no more runs, and gives back those that there are.
  func close() -> [RequestRun] {
    state.withLock { state in
      defer { state = State(isOpen: false) }
      return state.runs.values
    }
  }

  var count: Int { state.withLock { $0.runs.count } }
}
