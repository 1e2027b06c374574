extension RetryPolicy.RandomSource {
  /// Returns the same number each time.
  static func fixed(_ number: Double) -> RetryPolicy.RandomSource { RetryPolicy.RandomSource { number } }

  /// Returns the sequence of a seed.
  static func seeded(_ seed: UInt64) -> RetryPolicy.RandomSource {
    let generator = Locked(SeededGenerator(seed: seed))
    return RetryPolicy.RandomSource { generator.withLock { Double.random(in: 0..<1, using: &$0) } }
  }
}
