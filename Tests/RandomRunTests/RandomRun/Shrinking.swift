/// Finds a short list of steps that still fails (delta debugging: Zeller and Hildebrandt, 2002).
package struct Shrinking<Element: Sendable>: Sendable {
  /// The most runs of the test.
  var attempts: Int
  let fails: @Sendable ([Element]) async -> Bool

  package init(attempts: Int, fails: @escaping @Sendable ([Element]) async -> Bool) {
    self.attempts = attempts
    self.fails = fails
  }

  /// Returns a shorter list of elements that still fails, in the same order. Removes portions of the list until no
  /// removal fails any more, or until `attempts` runs were made.
  package func shortest(of elements: [Element]) async -> [Element] {
    var rest = elements
    var left = attempts
    var portions = 2
    while rest.count > 1, left > 0 {
      let size = (rest.count + portions - 1) / portions
      var isShorter = false
      for start in stride(from: 0, to: rest.count, by: size) where left > 0 {
        let candidate = Array(rest[..<start] + rest[min(rest.count, start + size)...])
        guard !candidate.isEmpty else { continue }
        left -= 1
        guard await fails(candidate) else { continue }
        rest = candidate
        portions = max(2, portions - 1)
        isShorter = true
        break
      }
      guard !isShorter else { continue }
      if size == 1 { break }
      portions = min(rest.count, portions * 2)
    }
    return rest
  }
}
