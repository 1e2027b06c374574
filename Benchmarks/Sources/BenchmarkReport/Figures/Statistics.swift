/// The few figures of statistics that a report needs.
package enum Statistics {
  /// The middle value, or the mean of the two in the middle; `nil` of nothing.
  package static func median(_ values: [Double]) -> Double? {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The median of the ratios of pairs; a pair without a divisor is left out.
  package static func medianRatio(_ pairs: [(value: Double, base: Double)]) -> Double? {
    median(pairs.filter { $0.base > 0 }.map { $0.value / $0.base })
  }
}
