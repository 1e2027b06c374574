/// The values of a service that its layers work with.
public struct LayerContext: Sendable {
  /// Measures time.
  public var clock: any WebServiceClock { configuration.clock }
  /// Draws random numbers.
  public var random: RetryPolicy.RandomSource { configuration.random }
  /// Hides secrets in descriptions.
  public var redaction: Redaction { configuration.redaction }

  package let configuration: WebServiceConfiguration

  /// Creates the context of a service; for tests of a layer.
  ///
  /// - Parameter configuration: the settings that the layer reads, such as clock, random source and redaction.
  public init(configuration: WebServiceConfiguration = WebServiceConfiguration()) { self.configuration = configuration }
}
