import Dispatch
internal import WebServicesTransport

/// A reachability check whose `isConnected()` returns at once, so that any thread may call it.
package protocol ImmediateReachability: ReachabilityCheckable {}

extension NetworkReachability: ImmediateReachability {}

/// Checks whether there is a network, for threads that must not block: a timer's and a transport's. An app's
/// `isConnected()` may block, so the probe calls it on its own queue, once for all requests that ask meanwhile.
package final class ReachabilityProbe: Sendable {
  typealias Handler = @Sendable (Bool) -> Void

  private struct State {
    var waiting: [Handler] = []
    var isAsking = false
  }

  let reachability: any ReachabilityCheckable
  /// Serial: an app's `isConnected()` runs once at a time.
  private let queue = DispatchQueue(label: "WebServices.Reachability", qos: .userInitiated)
  /// Guards the handlers that wait. `isConnected()` and the handlers run after unlocking.
  private let state = Locked(State())

  init(_ reachability: any ReachabilityCheckable) {
    self.reachability = reachability
  }

  /// Tells the handler whether there is a network: at once where `isConnected()` doesn't block, else on the queue for
  /// an app's code.
  func ask(_ handler: @escaping Handler) {
    if reachability is any ImmediateReachability { return handler(reachability.isConnected()) }
    let isFirst = state.withLock { state in
      state.waiting.append(handler)
      defer { state.isAsking = true }
      return !state.isAsking
    }
    if isFirst { queue.async { self.askUntilNoneWaits() } }
  }

  /// Calls the handlers that wait. A handler that comes while `isConnected()` runs waits for the next call, since the
  /// network may have come back.
  private func askUntilNoneWaits() {
    while let handlers = takeWaiting() {
      let isConnected = reachability.isConnected()
      // A handler may go on to call an app's code and block. The next handler doesn't wait for it.
      for handler in handlers { UserCallbackQueue.shared.async { handler(isConnected) } }
    }
  }

  private func takeWaiting() -> [Handler]? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isAsking = false
        return nil
      }
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}
