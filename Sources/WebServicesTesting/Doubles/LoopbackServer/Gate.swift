public import Foundation
import WebServicesCore

extension LoopbackServer {
  /// A gate at which responses wait until the test opens it: `[.head(…), .wait(gate), .body(…)]`.
  ///
  /// Several responses may wait at one gate. An open gate stays open, so later responses don't wait.
  public final class Gate: Sendable {
    private struct State: Sendable {
      var isOpen = false
      var arrivals = 0
      var waiting: [@Sendable () -> Void] = []
    }

    /// Guards the state. The waiting responses are resumed without the lock.
    private let state = Watched(State())

    /// Creates a closed gate.
    public init() {}

    /// Whether the gate is open.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// The number of responses that have reached the gate, including those that passed.
    public var arrivals: Int { state.withLock { $0.arrivals } }

    /// Opens the gate for good and resumes all waiting responses.
    public func open() {
      let waiting = state.withLock { state in
        state.isOpen = true
        defer { state.waiting = [] }
        return state.waiting
      }
      waiting.forEach { $0() }
    }

    /// Waits until this many responses have reached the gate.
    ///
    /// - Parameters:
    ///   - count: the number of responses, including those that have passed the gate.
    ///   - timeout: the longest wait, in seconds. More than a day counts as a day.
    /// - Returns: `false` if the timeout passes first.
    @discardableResult
    public func waitUntilReached(count: Int = 1, timeout: TimeInterval = 30) async -> Bool {
      await state.wait(timeout: timeout) { $0.arrivals >= count }
    }

    /// Counts an arrival. Returns `true` if the gate is open; otherwise `resume` is called when it opens.
    func arrive(_ resume: @escaping @Sendable () -> Void) -> Bool {
      state.withLock { state in
        state.arrivals += 1
        if !state.isOpen { state.waiting.append(resume) }
        return state.isOpen
      }
    }
  }
}
