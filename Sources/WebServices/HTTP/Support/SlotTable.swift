/// Values in places that are used again, each found and removed without a look-up.
@usableFromInline package struct SlotTable<Value: Sendable>: Sendable {
  /// The key of a value. It finds nothing after the value was removed, whatever has come into its place.
  @usableFromInline package struct Slot: Sendable {
    @usableFromInline let index: Int
    @usableFromInline let number: UInt64

    @inlinable init(index: Int, number: UInt64) {
      self.index = index
      self.number = number
    }
  }

  @usableFromInline struct Place: Sendable {
    @usableFromInline var value: Value?
    @usableFromInline var number: UInt64

    @inlinable init(value: Value?, number: UInt64) {
      self.value = value
      self.number = number
    }
  }

  @usableFromInline var places: [Place] = []
  @usableFromInline var vacant: [Int] = []
  /// Counts the values that there ever were.
  @usableFromInline var lastNumber: UInt64 = 0

  @inlinable package init() {}

  /// The number of vacant slots that are kept.
  @inlinable static var kept: Int { 1024 }

  package var count: Int { places.count - vacant.count }

  package var values: [Value] { places.compactMap(\.value) }

  @inlinable package mutating func insert(_ value: Value) -> Slot {
    lastNumber += 1
    if let index = vacant.popLast() {
      places[index].value = value
      places[index].number = lastNumber
      return Slot(index: index, number: lastNumber)
    }
    places.append(Place(value: value, number: lastNumber))
    return Slot(index: places.count - 1, number: lastNumber)
  }

  @inlinable package subscript(slot: Slot) -> Value? { isThere(slot) ? places[slot.index].value : nil }

  /// - Returns: the value, once.
  @inlinable package mutating func remove(_ slot: Slot) -> Value? {
    guard isThere(slot) else { return nil }
    defer { trim() }
    return vacate(slot.index)
  }

  /// Removes the values of which that is true.
  mutating func removeAll(where isToGo: (Value) -> Bool) -> [Value] {
    var removed: [Value] = []
    for index in places.indices where places[index].value.map(isToGo) == true {
      if let value = vacate(index) { removed.append(value) }
    }
    trim()
    return removed
  }

  @inlinable func isThere(_ slot: Slot) -> Bool {
    slot.index < places.count && places[slot.index].number == slot.number
  }

  @inlinable mutating func vacate(_ index: Int) -> Value? {
    var value: Value?
    guard places[index].value != nil else { return nil }
    swap(&value, &places[index].value)
    vacant.append(index)
    return value
  }

  @inlinable mutating func trim() {
    if places.count > Self.kept, vacant.count == places.count { (places, vacant) = ([], []) }
  }
}
