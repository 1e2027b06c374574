/// A value behind one reference. Passing it on costs one reference count, however large the value is. Each change makes
/// another object, so the type is `Sendable` without a lock.
@frozen @usableFromInline package struct Boxed<Value: Sendable>: Sendable {
  @_fixed_layout @usableFromInline package final class Box: Sendable {
    @usableFromInline package let value: Value

    @inlinable package init(_ value: Value) { self.value = value }
  }

  @usableFromInline var box: Box

  @inlinable package init(_ value: Value) { box = Box(value) }

  @inlinable package var value: Value {
    get { box.value }
    set { box = Box(newValue) }
  }

  /// Whether the other value is an unchanged copy of this one.
  func isSame(as other: Boxed) -> Bool { box === other.box }
}
