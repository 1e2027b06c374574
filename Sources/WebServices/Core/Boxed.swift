/// A value behind one reference, copied on write. Passing it on costs one reference count, however large the value is.
struct Boxed<Value: Sendable>: @unchecked Sendable {
  // Instead of a lock: the buffer is changed only while this is the only reference to it. A buffer's header, unlike a
  // class's property, is read without a check for exclusive access.
  private var buffer: ManagedBuffer<Value, Void>

  init(_ value: Value) {
    buffer = .create(minimumCapacity: 0) { _ in value }
  }

  var value: Value {
    _read { yield buffer.header }
    _modify {
      if !isKnownUniquelyReferenced(&buffer) { self = Boxed(buffer.header) }
      yield &buffer.header
    }
  }

  /// Whether the other value is an unchanged copy of this one.
  func isSame(as other: Boxed) -> Bool { buffer === other.buffer }
}
