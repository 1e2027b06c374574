/// A value that is seldom there, and takes the room of a pointer until it is.
@propertyWrapper
struct Rare<Value: Sendable>: Sendable {
  private var boxed: Boxed<Value>?

  var wrappedValue: Value? {
    get { boxed?.value }
    set { boxed = newValue.map(Boxed.init) }
  }

  init(wrappedValue: Value? = nil) {
    boxed = wrappedValue.map(Boxed.init)
  }
}
