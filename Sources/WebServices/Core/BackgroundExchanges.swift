/// The exchanges that no caller waits for: they end with the service, or with the user whose they are.
final class BackgroundExchanges: Sendable {
  private struct State {
    var lastNumber = 0
    var tasks: [Int: any URLSessionTaskProtocol] = [:]
  }

  private let state = Locked(State())

  /// A number to be added and removed with.
  func makeNumber() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  /// Keeps a task until it has ended. To be called before it is resumed.
  func add(_ task: any URLSessionTaskProtocol, number: Int) {
    state.withLock { $0.tasks[number] = task }
  }

  func remove(number: Int) {
    let task = state.withLock { $0.tasks.removeValue(forKey: number) }
    // What the task holds is released here, outside the lock.
    _ = task
  }

  func cancelAll() {
    let tasks = state.withLock { state in
      defer { state.tasks = [:] }
      return state.tasks
    }
    for task in tasks.sorted(by: { $0.key < $1.key }) { task.value.cancel() }
  }
}
