public import Foundation

/// Decides whether a request waits while the device has no network.
public enum ConnectivityPolicy: Hashable, Sendable {
  /// The request fails, without a wait.
  case failAtOnce
  /// The request waits this many seconds for the network before it fails. The network is checked every `interval`
  /// seconds, which is limited to 0.05...5.
  case wait(upTo: TimeInterval, interval: TimeInterval = 0.5)

  /// The wait before the network is asked for again, in seconds; `nil` when the request has waited long enough.
  ///
  /// - Parameter waited: how long the request has waited for the network so far, in seconds.
  func delayBeforeNextCheck(waited: TimeInterval) -> TimeInterval? {
    // Less than a microsecond may be too little for a clock to show.
    guard case .wait(let limit, let interval) = self, limit - waited > 1e-6 else { return nil }
    // A shorter interval would keep a thread busy. With a longer one a request would find the network late.
    let bounded = interval.isNaN ? 0.5 : min(max(0.05, interval), 5)
    return min(bounded, limit - waited)
  }
}
