extension RetryPolicy {
  /// A source of random numbers, which a test can replace.
  public struct RandomSource: Sendable {
    private let next: @Sendable () -> Double

    /// Creates a source.
    ///
    /// - Parameter next: gives the next number, at least 0 and below 1. Any thread calls it, the transport's included, so
    ///   it must not block.
    public init(_ next: @escaping @Sendable () -> Double) { self.next = next }

    /// The system's generator.
    public static let system = RandomSource { Double.random(in: 0..<1) }

    /// A number from 0 to 1. A value of the source outside these limits becomes 0.5.
    package var unit: Double {
      let number = next()
      return number >= 0 && number <= 1 ? number : 0.5
    }
  }
}
