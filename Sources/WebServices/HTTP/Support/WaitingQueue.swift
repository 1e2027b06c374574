/// Elements that wait for their turn: the highest priority first, then the order of arrival. An element with a low
/// priority may wait for as long as others with a higher one come.
///
/// Adding, taking and removing cost the same however many elements wait. The place of a removed element stays vacant
/// for a while, because a search would take too long.
@frozen @usableFromInline package struct WaitingQueue<Key: Hashable, Element> {
  /// A place in a line. A later element may have the key of one that was removed, but has another number.
  @usableFromInline typealias Place = (key: Key, number: Int)

  /// One line for each priority.
  @usableFromInline var lines: [ArraySlice<Place>]
  /// The elements that wait, with the numbers of their places.
  @usableFromInline var elements: [Key: (element: Element, number: Int)] = [:]
  @usableFromInline var lastNumber = 0

  /// - Parameter priorities: the number of priorities, of which 0 is the lowest.
  @inlinable package init(priorities: Int = 1) { lines = Array(repeating: [], count: priorities) }

  package var count: Int { elements.count }
  @inlinable package var isEmpty: Bool { elements.isEmpty }

  /// Adds an element. No other element with the same key may wait.
  @inlinable package mutating func append(_ element: Element, for key: Key, priority: Int = 0) {
    lastNumber += 1
    elements[key] = (element, lastNumber)
    lines[priority].append((key, lastNumber))
  }

  /// Removes and returns the element whose turn it is; `nil` if none waits.
  @inlinable package mutating func popFirst() -> Element? {
    for index in lines.indices.reversed() {
      while let place = lines[index].popFirst() {
        if holdsElement(of: place) { return elements.removeValue(forKey: place.key)?.element }
      }
    }
    return nil
  }

  /// - Returns: the element, which the caller releases, possibly after unlocking; `nil` if it doesn't wait.
  @inlinable package mutating func remove(_ key: Key) -> Element? {
    guard !isEmpty, let (element, _) = elements.removeValue(forKey: key) else { return nil }
    // Most places have to be vacant, so that copying the others costs a constant time for each vacant place.
    if lines.reduce(0, { $0 + $1.count }) > 2 * max(8, elements.count) {
      lines = lines.map { ArraySlice($0.filter(holdsElement)) }
    }
    return element
  }

  @inlinable func holdsElement(of place: Place) -> Bool { elements[place.key]?.number == place.number }
}

extension WaitingQueue: Sendable where Key: Sendable, Element: Sendable {}
