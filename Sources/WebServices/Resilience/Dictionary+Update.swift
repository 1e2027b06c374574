// A change of `table[key]` or of `table[key, default: value]` allocates three objects and copies the value. These
// functions change the value by its index.
extension Dictionary {
  /// Changes the value of a key.
  ///
  /// - Returns: what the closure returns; `nil` if there is no value.
  mutating func update<Output>(_ key: Key, _ body: (inout Value) -> Output) -> Output? {
    index(forKey: key).map { body(&values[$0]) }
  }

  /// Changes the value of a key, which is made if necessary.
  mutating func update<Output>(
    _ key: Key, default value: @autoclosure () -> Value, _ body: (inout Value) -> Output
  ) -> Output {
    if let output = update(key, body) { return output }
    return body(&self[key, default: value()])
  }
}
