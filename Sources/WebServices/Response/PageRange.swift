/// A part of a collection that is asked for by offset and limit.
public struct PageRange: Hashable, Sendable {
  /// How many elements come before the page.
  public var offset: Int
  /// How many elements the page may have at most.
  public var limit: Int

  /// Creates a range.
  public init(offset: Int, limit: Int) {
    self.offset = offset
    self.limit = limit
  }
}
