/// A value that is seldom there, and takes the room of a pointer until it is.
@propertyWrapper
struct Rare<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value: Value

    init(_ value: Value) {
      self.value = value
    }
  }

  private var box: Box?

  var wrappedValue: Value? {
    get { box?.value }
    set { box = newValue.map(Box.init) }
  }

  init(wrappedValue: Value? = nil) {
    box = wrappedValue.map(Box.init)
  }
}
