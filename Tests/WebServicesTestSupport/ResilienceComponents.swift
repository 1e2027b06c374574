extension RetryPolicy.RandomSource {
  /// Returns the same number each time.
  static func fixed(_ number: Double) -> RetryPolicy.RandomSource { RetryPolicy.RandomSource { number } }
}
