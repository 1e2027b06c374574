import WebServices

extension RandomSource {
  /// Draws the same number each time.
  static func fixed(_ number: Double) -> RandomSource { RandomSource { number } }

  /// Draws the numbers of a seed.
  static func seeded(_ seed: UInt64) -> RandomSource {
    let generator = Locked(SeededGenerator(seed: seed))
    return RandomSource { generator.withLock { Double.random(in: 0..<1, using: &$0) } }
  }
}
