/// The requests of a service that are on their way, until it takes no more.
final class RunRegistry: Sendable {
  private enum State {
    case open([ObjectIdentifier: RequestRun])
    case closed
  }

  private let state = Locked(State.open([:]))

  /// - Returns: whether the run was taken.
  func insert(_ run: RequestRun) -> Bool {
    state.withLock { state in
      guard case .open(var runs) = state else { return false }
      // Emptied first, so that the dictionary is changed in place.
      state = .closed
      runs[ObjectIdentifier(run)] = run
      state = .open(runs)
      return true
    }
  }

  func remove(_ run: RequestRun) {
    state.withLock { state in
      guard case .open(var runs) = state else { return }
      state = .closed
      runs.removeValue(forKey: ObjectIdentifier(run))
      state = .open(runs)
    }
  }

  /// Whether runs are taken, and those that are taken may send.
  var isOpen: Bool {
    state.withLock { state in
      if case .open = state { true } else { false }
    }
  }

  /// Takes no more runs, and gives back those that there are.
  func close() -> [RequestRun] {
    state.withLock { state in
      guard case .open(let runs) = state else { return [] }
      state = .closed
      return Array(runs.values)
    }
  }

  var runs: [RequestRun] {
    state.withLock { state in
      guard case .open(let runs) = state else { return [] }
      return Array(runs.values)
    }
  }

  var count: Int {
    state.withLock { state in
      guard case .open(let runs) = state else { return 0 }
      return runs.count
    }
  }
}
