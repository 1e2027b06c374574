public import WebServicesTransport

/// The values of a service that its layers work with.
public struct LayerContext: Sendable {
  /// Measures time.
  public var clock: any WebServiceClock { configuration.clock }
  /// Draws random numbers.
  public var random: RetryPolicy.RandomSource { configuration.random }
  /// Hides secrets in descriptions.
  public var redaction: Redaction { configuration.redaction }

  package let configuration: WebServiceConfiguration
  package let reachability: any ReachabilityCheckable

  /// Creates the context of a service; for tests of a layer.
  ///
  /// - Parameters:
  ///   - configuration: the settings that the layer reads, such as clock, random source and redaction.
  ///   - reachability: tells the layer whether there is a network. The default asks the system.
  public init(
    configuration: WebServiceConfiguration = WebServiceConfiguration(),
    reachability: any ReachabilityCheckable = NetworkReachability.shared
  ) {
    self.configuration = configuration
    self.reachability = reachability
  }
}
