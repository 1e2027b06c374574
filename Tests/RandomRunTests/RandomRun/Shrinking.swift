extension Array {
  /// Returns a shorter list that still fails, in the same order. Removes half of the elements, then a quarter, and so
  /// on, until no removal fails any more, or until `attempts` runs were made.
  func shortened(attempts: Int, fails: ([Element]) async -> Bool) async -> [Element] {
    var (rest, left, size) = (self, attempts, count / 2)
    while size > 0 {
      for end in stride(from: rest.count, to: 0, by: -size) where left > 0 {
        let shorter = Array(rest[..<Swift.max(0, end - size)] + rest[end...])
        left -= 1
        if await fails(shorter) { rest = shorter }
      }
      size /= 2
    }
    return rest
  }
}
