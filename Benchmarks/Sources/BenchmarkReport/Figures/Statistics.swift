/// The statistics of a report.
package enum Statistics {
  /// The middle value, or the mean of the two middle values; `nil` without values.
  package static func median(_ values: [Double]) -> Double? {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The median of the ratios. Pairs with a base of zero are left out.
  package static func medianRatio(_ pairs: [(value: Double, base: Double)]) -> Double? {
    median(pairs.filter { $0.base > 0 }.map { $0.value / $0.base })
  }
}
