import WebServices

/// Draws the same number each time.
struct FixedRandom: RandomSource {
  var number: Double
  func next() -> Double { number }
}

/// Draws what a seed leads to.
final class SeededRandom: RandomSource {
  private let generator: Locked<SeededGenerator>

  init(seed: UInt64) { generator = Locked(SeededGenerator(seed: seed)) }

  func next() -> Double {
    generator.withLock { Double.random(in: 0..<1, using: &$0) }
  }
}
