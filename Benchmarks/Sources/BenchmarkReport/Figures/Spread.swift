/// The median of some rounds with the least and the greatest of them.
package struct Spread: Hashable, Sendable {
  package let median: Double
  package let least: Double
  package let greatest: Double

  /// `nil` of no values.
  package init?(_ values: [Double]) {
    guard let median = Statistics.median(values), let least = values.min(), let greatest = values.max() else {
      return nil
    }
    self.median = median
    self.least = least
    self.greatest = greatest
  }

  /// The median with the quartiles in place of the least and the greatest: of many values, the outermost say little.
  package init?(quartilesOf values: [Double]) {
    let sorted = values.sorted()
    guard let median = Statistics.median(sorted) else { return nil }
    self.median = median
    least = sorted[sorted.count / 4]
    greatest = sorted[min(sorted.count - 1, sorted.count * 3 / 4)]
  }
}
