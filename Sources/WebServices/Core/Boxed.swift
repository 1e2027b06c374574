/// A value behind one reference: to hand it on costs the same however large it is. For what is handed on much more often
/// than it is changed, since each change makes another object.
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

  /// Whether the other is a copy of this one and unchanged.
  func isSame(as other: Boxed) -> Bool { box === other.box }
}
