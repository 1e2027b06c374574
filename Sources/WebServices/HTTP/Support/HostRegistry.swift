/// A value for each host, found by the host's name or, without a look-up, by its slot. Values are changed in place,
/// because copying a histogram for each event would cost too much.
@usableFromInline package struct HostRegistry<Value: Sendable>: Sendable {
  /// The place of a host's value, for as long as the value is kept.
  @usableFromInline package struct Slot: Sendable {
    @usableFromInline let index: Int
    @usableFromInline let number: UInt64

    @inlinable init(index: Int, number: UInt64) {
      self.index = index
      self.number = number
    }
  }

  /// A host and its value, or a vacant place.
  @usableFromInline struct Entry: Sendable {
    @usableFromInline var host: String
    /// The number of the host among all that were ever kept; 0 for a vacant place.
    @usableFromInline var number: UInt64
    @usableFromInline var value: Value

    @inlinable init(host: String, number: UInt64, value: Value) {
      self.host = host
      self.number = number
      self.value = value
    }
  }

  @usableFromInline var entries: [Entry] = []
  @usableFromInline var indices: [String: Int] = [:]
  /// The indices of entries whose hosts were removed.
  @usableFromInline var vacant: [Int] = []
  /// The number of the host that was inserted last. A slot of a former host has a number that never occurs again.
  @usableFromInline var lastNumber: UInt64 = 0
  /// The index of the host that was used last, because most requests go to the same host.
  @usableFromInline var recent: Int?

  @inlinable package init() {}

  package var count: Int { indices.count }

  package var values: [Value] { indices.values.map { entries[$0].value } }

  package var valuesByHost: [String: Value] { indices.mapValues { entries[$0].value } }

  @inlinable package func contains(_ host: String) -> Bool { index(of: host) != nil }

  /// The value of a host; `nil` when none is kept.
  @inlinable package subscript(host: String) -> Value? { index(of: host).map { entries[$0].value } }

  /// The slot of a host, which is inserted if it isn't kept.
  @inlinable package mutating func slot(of host: String, orInsert makeValue: @autoclosure () -> Value) -> Slot {
    let index = keep(host, orInsert: makeValue())
    return Slot(index: index, number: entries[index].number)
  }

  /// Changes the value of a host in place. The host is inserted if it isn't kept.
  @inlinable package mutating func update<Output>(
    _ host: String, orInsert makeValue: @autoclosure () -> Value, _ body: (inout Value) -> Output
  ) -> Output {
    body(&entries[keep(host, orInsert: makeValue())].value)
  }

  /// Changes the value of a host; `nil` when the host isn't kept.
  @inlinable package mutating func update<Output>(_ host: String, _ body: (inout Value) -> Output) -> Output? {
    index(of: host).map { body(&entries[$0].value) }
  }

  /// Changes the value of a slot; `nil` when its host isn't kept any more.
  @inlinable package mutating func update<Output>(_ slot: Slot, _ body: (inout Value) -> Output) -> Output? {
    guard slot.index < entries.count, entries[slot.index].number == slot.number else { return nil }
    return body(&entries[slot.index].value)
  }

  /// Removes the hosts whose values match.
  package mutating func removeAll(where shouldRemove: (Value) -> Bool) {
    recent = nil
    for (host, index) in indices where shouldRemove(entries[index].value) {
      indices[host] = nil
      entries[index].number = 0
      vacant.append(index)
    }
    if indices.isEmpty { (entries, vacant) = ([], []) }
  }

  @inlinable func index(of host: String) -> Int? {
    if let recent, entries[recent].host == host { return recent }
    return indices[host]
  }

  /// The index of the host, which then counts as used last.
  @inlinable mutating func keep(_ host: String, orInsert makeValue: @autoclosure () -> Value) -> Int {
    let index = index(of: host) ?? insert(makeValue(), for: host)
    recent = index
    return index
  }

  @inlinable mutating func insert(_ value: Value, for host: String) -> Int {
    lastNumber += 1
    let entry = Entry(host: host, number: lastNumber, value: value)
    let index = vacant.popLast() ?? entries.count
    if index < entries.count { entries[index] = entry } else { entries.append(entry) }
    indices[host] = index
    return index
  }
}
