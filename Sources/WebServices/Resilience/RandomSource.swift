/// Where chance comes from: what is spread in time asks it, so that a test can say what is drawn.
public protocol RandomSource: Sendable {
  /// The next number, at least 0 and below 1. Any thread calls it, the transport's included, so it must not block.
  func next() -> Double
}

/// The system's own generator.
public struct SystemRandomSource: RandomSource {
  /// Creates a source; all of them draw from the same generator.
  public init() {}

  /// The next number, at least 0 and below 1.
  public func next() -> Double { Double.random(in: 0..<1) }
}

extension RandomSource {
  /// A number at least 0 and at most 1, whatever the source says.
  var unit: Double {
    let number = next()
    return number >= 0 && number <= 1 ? number : 0.5
  }
}
