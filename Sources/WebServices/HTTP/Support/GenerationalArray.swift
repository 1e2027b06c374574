/// Stores values in an array, and finds and removes each without a look-up. Keep the `Slot` that `insert` returns.
@usableFromInline package struct GenerationalArray<Value: Sendable>: Sendable {
  /// The key of a value. A removed value's key finds nothing, even if another value has taken its place in the array.
  @usableFromInline package typealias Slot = (index: Int, number: UInt64)

  /// The places of the array: a value, `nil` once it was removed, and the number of the last value that was inserted
  /// there.
  @usableFromInline var places: [(value: Value?, number: UInt64)] = []
  /// The indices of the places without a value.
  @usableFromInline var vacant: [Int] = []
  /// The number of values that were ever inserted, which is the number of the last one.
  @usableFromInline var lastNumber: UInt64 = 0

  @inlinable package init() {}

  /// The number of places up to which an empty array keeps its memory.
  @inlinable static var kept: Int { 1024 }

  package var count: Int { places.count - vacant.count }

  package var values: [Value] { places.compactMap(\.value) }

  @inlinable package mutating func insert(_ value: Value) -> Slot {
    lastNumber += 1
    if let index = vacant.popLast() {
      places[index].value = value
      places[index].number = lastNumber
      return (index, lastNumber)
    }
    places.append((value, lastNumber))
    return (places.count - 1, lastNumber)
  }

  @inlinable package subscript(slot: Slot) -> Value? { holdsValue(of: slot) ? places[slot.index].value : nil }

  /// - Returns: the value; `nil` if it was removed before. The caller releases it, possibly after unlocking.
  @inlinable package mutating func remove(_ slot: Slot) -> Value? {
    guard holdsValue(of: slot) else { return nil }
    defer { trim() }
    return vacate(slot.index)
  }

  /// Removes and returns the values that match.
  mutating func removeAll(where shouldRemove: (Value) -> Bool) -> [Value] {
    var removed: [Value] = []
    for index in places.indices where places[index].value.map(shouldRemove) == true {
      if let value = vacate(index) { removed.append(value) }
    }
    trim()
    return removed
  }

  /// Whether the place has the slot's value. A later value in the same place has another number.
  @inlinable func holdsValue(of slot: Slot) -> Bool {
    slot.index < places.count && places[slot.index].number == slot.number
  }

  @inlinable mutating func vacate(_ index: Int) -> Value? {
    guard let value = places[index].value.take() else { return nil }
    vacant.append(index)
    return value
  }

  /// Frees the memory of a large array when it becomes empty.
  @inlinable mutating func trim() {
    if places.count > Self.kept, vacant.count == places.count { (places, vacant) = ([], []) }
  }
}
