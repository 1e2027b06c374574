import Foundation

/// A value behind a lock. `Mutex` would serve, but needs newer systems than the package supports.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  // `lock` guards `value`.
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) {
    self.value = value
  }

  /// Runs the body with the lock held. It must not call out: not to a handler, a session or another lock.
  package func withLock<Output>(_ body: (inout Value) throws -> Output) rethrows -> Output {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
