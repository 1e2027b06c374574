import Foundation

/// Measures the delays of timers, files and tasks on this machine, and the memory in use.
final class Heartbeat: Sendable {
  /// A place at which a call may have to wait for the machine.
  private enum Place: CaseIterable {
    /// A separate queue, whose beats make and remove a file. A busy disk delays downloads, as a busy processor does.
    case queue
    /// The threads of Swift tasks, on which an awaited call continues. Other tests block them for seconds.
    case tasks
  }

  private struct State: Sendable {
    var last: [Place: UInt64] = [:]
    var longestStall = 0.0
    var mostMemory = 0
    var isOver = false

    mutating func noteBeat(at place: Place) {
      let now = DispatchTime.now().uptimeNanoseconds
      if let last = last.updateValue(now, forKey: place) {
        longestStall = max(longestStall, Double(now - last) / 1e9 - Heartbeat.interval)
      }
    }
  }

  private static let interval = 0.05
  private let state = Guarded(State())
  private let queue = DispatchQueue(label: "RandomRun.heartbeat")
  private let file: URL

  /// - Parameter directory: a directory on the disk that the run uses.
  init(directory: URL) {
    file = directory.appendingPathComponent("heartbeat-\(UUID().uuidString)")
    for place in Place.allCases { beat(at: place) }
  }

  private func beat(at place: Place) {
    let isOver = state.withLock { state in
      state.noteBeat(at: place)
      return state.isOver
    }
    guard !isOver else { return }
    switch place {
    case .queue:
      queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in
        guard let self else { return }
        try? Data([0]).write(to: file)
        try? FileManager.default.removeItem(at: file)
        state.withLock { $0.mostMemory = max($0.mostMemory, ProcessFigures.residentMemory()) }
        beat(at: place)
      }
    case .tasks:
      Task.detached { [weak self] in
        try? await Task.sleep(nanoseconds: UInt64(Self.interval * 1e9))
        self?.beat(at: place)
      }
    }
  }

  /// Stops the heartbeat. A beat that is late at this moment counts too.
  func stop() -> (longestStall: Double, mostMemory: Int) {
    state.withLock { state in
      state.isOver = true
      for place in Place.allCases { state.noteBeat(at: place) }
      return (state.longestStall, state.mostMemory)
    }
  }
}
