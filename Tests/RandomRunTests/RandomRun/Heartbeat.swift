import Foundation
import WebServicesHTTP

/// Measures on this machine how late a Swift task runs and how long it takes to make and remove a file: calls have to
/// wait for both. Measures the memory in use too.
final class Heartbeat: Sendable {
  private typealias State = (last: UInt64, longestStall: Double, mostMemory: Int, isOver: Bool)

  private static let interval = 0.05
  private let state = Locked<State>((DispatchTime.now().uptimeNanoseconds, 0, 0, false))

  /// - Parameter file: a name on the disk that the run uses.
  init(file: URL) {
    Task.detached { [weak self] in
      while self?.beat() == true {
        try? Data([0]).write(to: file)
        try? FileManager.default.removeItem(at: file)
        try? await Task.sleep(nanoseconds: UInt64(Self.interval * 1e9))
      }
    }
  }

  private func beat(isLast: Bool = false) -> Bool {
    state.withLock { state in
      guard !state.isOver else { return false }
      let now = DispatchTime.now().uptimeNanoseconds
      state.longestStall = max(state.longestStall, Double(now - state.last) / 1e9 - Self.interval)
      state.mostMemory = max(state.mostMemory, ProcessFigures.residentMemory())
      (state.last, state.isOver) = (now, isLast)
      return true
    }
  }

  /// Stops the heartbeat. A beat that is late at this moment counts too.
  func stop() -> (longestStall: Double, mostMemory: Int) {
    _ = beat(isLast: true)
    return state.withLock { ($0.longestStall, $0.mostMemory) }
  }
}
