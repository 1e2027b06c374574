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
}
