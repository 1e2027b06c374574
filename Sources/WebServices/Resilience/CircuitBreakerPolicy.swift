public import Foundation

/// When a host that keeps failing is left alone for a while.
public struct CircuitBreakerPolicy: Hashable, Sendable {
  /// The share of failures from which on the circuit opens, above 0 and up to 1.
  public var failureRatio: Double
  /// How many results there have to be before the share counts. At least 1.
  public var minimumVolume: Int
  /// The time that is looked back on, in seconds.
  public var window: TimeInterval
  /// How long an open circuit lets nothing through, in seconds; up to half as much again is added by chance, so that the
  /// clients of one server don't all probe it at the same moment.
  public var openDuration: TimeInterval
  /// How many requests are let through then to find out how the host is: all have to succeed for the circuit to close,
  /// and one that fails opens it again.
  public var probes: Int
  /// How many hosts are kept an eye on at once.
  public var maximumHosts: Int

  /// Open for 5 to 7.5 seconds once half of at least 10 results in 10 seconds were failures, then 2 probes.
  public static let standard = CircuitBreakerPolicy()

  /// Creates a policy. A number that makes no sense is replaced by the nearest that does.
  public init(
    failureRatio: Double = 0.5, minimumVolume: Int = 10, window: TimeInterval = 10, openDuration: TimeInterval = 5,
    probes: Int = 2, maximumHosts: Int = 1000
  ) {
    self.failureRatio = failureRatio
    self.minimumVolume = minimumVolume
    self.window = window
    self.openDuration = openDuration
    self.probes = probes
    self.maximumHosts = maximumHosts
  }

  /// A copy with every value clamped to its valid range.
  var normalized: CircuitBreakerPolicy {
    func seconds(_ number: TimeInterval, default standard: TimeInterval) -> TimeInterval {
      number.isNaN ? standard : min(max(0.001, number), 86_400)
    }
    return CircuitBreakerPolicy(
      failureRatio: failureRatio.isNaN ? 0.5 : min(max(1e-6, failureRatio), 1),
      minimumVolume: max(1, minimumVolume), window: seconds(window, default: 10),
      openDuration: seconds(openDuration, default: 5), probes: min(max(1, probes), 1000),
      maximumHosts: max(1, maximumHosts))
  }
}
