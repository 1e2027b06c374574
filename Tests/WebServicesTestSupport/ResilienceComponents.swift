extension RandomSource {
  /// Returns the same number each time.
  static func fixed(_ number: Double) -> RandomSource { RandomSource { number } }

  /// Returns the sequence of a seed.
  static func seeded(_ seed: UInt64) -> RandomSource {
    let generator = Locked(SeededGenerator(seed: seed))
    return RandomSource { generator.withLock { Double.random(in: 0..<1, using: &$0) } }
  }
}
