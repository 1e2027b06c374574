/// A value behind one reference. Passing it on costs one reference count, however large the value is; each change makes
/// another object.
struct Boxed<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value: Value

    init(_ value: Value) {
      self.value = value
    }
  }

  private var box: Box

  init(_ value: Value) {
    box = Box(value)
  }

  var value: Value {
    get { box.value }
    set { box = Box(newValue) }
  }

  /// Whether the other value is an unchanged copy of this one.
  func isSame(as other: Boxed) -> Bool { box === other.box }
}
