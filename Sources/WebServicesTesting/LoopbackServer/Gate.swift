public import Foundation
import WebServices

extension LoopbackServer {
  /// Where an answer stops until the test lets it go on: `[.head(…), .wait(gate), .body(…)]`.
  ///
  /// Opening is for good: an answer that comes later passes. Several answers may wait at one gate.
  public final class Gate: Sendable {
    private struct State {
      var isOpen = false
      var arrivals = 0
      var waiting: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())
    private let observers = Observers()

    /// Creates a gate that is shut.
    public init() {}

    /// Whether answers pass.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// How many answers have come to the gate, those that passed it included.
    public var arrivals: Int { state.withLock { $0.arrivals } }

    /// Lets every answer go on, now and from now on.
    public func open() {
      let waiting = state.withLock { state in
        state.isOpen = true
        defer { state.waiting = [] }
        return state.waiting
      }
      waiting.forEach { $0() }
    }

    /// Waits until so many answers have come to the gate; `false` where the time was over first.
    @discardableResult
    public func waitUntilReached(count: Int = 1, timeout: TimeInterval = 10) async -> Bool {
      await observers.wait(timeout: timeout) { self.arrivals >= count }
    }

    /// Calls back once the gate is open; `true` where it is already, and nothing is called.
    func arrive(_ resume: @escaping @Sendable () -> Void) -> Bool {
      let isOpen = state.withLock { state in
        state.arrivals += 1
        if !state.isOpen { state.waiting.append(resume) }
        return state.isOpen
      }
      observers.check()
      return isOpen
    }
  }
}
