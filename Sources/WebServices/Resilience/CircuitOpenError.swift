public import Foundation

/// A request wasn't sent because its host kept failing.
public struct CircuitOpenError: Error, Hashable, Sendable {
  /// The host, with its port where that isn't the scheme's own.
  public var host: String
  /// When the host will be probed again, in seconds from when the error was made; 0 where it is being probed now.
  public var retryAfter: TimeInterval

  /// Creates an error.
  public init(host: String, retryAfter: TimeInterval) {
    self.host = host
    self.retryAfter = retryAfter
  }
}

extension CircuitOpenError: LocalizedError, CustomStringConvertible, DescribedByLibrary {
  /// Which host is left alone, and for how long.
  public var description: String {
    guard retryAfter > 0 else { return "\(host) keeps failing, and another request finds out whether it is back" }
    let seconds = String(format: "%.1f", min(retryAfter, 1e9))
    return "\(host) keeps failing, and is sent nothing for another \(seconds) s"
  }

  /// Returns `description`.
  public var errorDescription: String? { description }
}
