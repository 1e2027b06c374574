/// The median, the minimum and the maximum of several rounds.
package struct Spread: Hashable, Sendable {
  package let median: Double
  package let least: Double
  package let greatest: Double

  /// Creates a spread; `nil` without values.
  package init?(_ values: [Double]) {
    guard let median = Statistics.median(values), let least = values.min(), let greatest = values.max() else {
      return nil
    }
    self.median = median
    self.least = least
    self.greatest = greatest
  }

  /// The median with the quartiles instead of minimum and maximum. With many values the outermost ones mean little.
  package init?(quartilesOf values: [Double]) {
    let sorted = values.sorted()
    guard let median = Statistics.median(sorted) else { return nil }
    self.median = median
    least = sorted[sorted.count / 4]
    greatest = sorted[min(sorted.count - 1, sorted.count * 3 / 4)]
  }
}
