// Public because other modules specialize the `@inlinable` functions of this file. Foundation exports the C library.
public import Foundation

/// A value behind a lock. Call `withLock`. `Mutex` needs newer systems than the package supports, and `NSLock` needs
/// three more objects for each value.
@frozen @usableFromInline package struct Locked<Value: Sendable>: @unchecked Sendable, CustomReflectable {
  // The mutex in `storage` guards the value beside it.
  @usableFromInline let storage: ManagedBuffer<Value, pthread_mutex_t>

  /// - Parameter value: evaluated in place, so that a large one isn't made and then copied.
  @inlinable package init(_ value: @autoclosure () -> Value) {
    storage = LockedStorage<Value>.create(minimumCapacity: 1) { buffer in
      // Without attributes the call can't fail.
      buffer.withUnsafeMutablePointerToElements { mutex in
        mutex.initialize(to: pthread_mutex_t())
        _ = pthread_mutex_init(mutex, nil)
      }
      return value()
    }
  }

  /// Runs the body with the lock held. The body must not call a handler, a session or another lock. It must not release
  /// the last reference to an object with such a `deinit` either.
  @inlinable package func withLock<Output>(_ body: (inout Value) throws -> Output) rethrows -> Output {
    #if DEBUG || SIMULATION
      let thread = SimulatedThread.current
      thread?.willLock()
      defer { thread?.didUnlock() }
    #endif
    return try storage.withUnsafeMutablePointers { value, mutex in
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }

  /// Whether both are the same value in memory, and not two equal ones.
  package func isSame(as other: Locked) -> Bool { storage === other.storage }

  /// A mirror without the value: `dump` would show all that an object of the library keeps, such as a request's
  /// secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Returns `true` from the first call and `false` from every other, on any thread.
package struct Once: Sendable {
  private let isTaken = Locked(false)

  package init() {}

  package func callAsFunction() -> Bool { !isTaken.withLock { exchange(&$0, with: true) } }
}

/// Replaces a value, and returns the former one. With a lock held, this lets the caller release the former value after
/// unlocking.
@inlinable package func exchange<Value>(_ value: inout Value, with new: consuming Value) -> Value {
  swap(&value, &new)
  return new
}

extension FixedWidthInteger {
  /// Adds 1, and returns the sum.
  @inlinable package mutating func increment() -> Self {
    self += 1
    return self
  }
}

/// Memory for the value and its mutex, which `deinit` destroys.
@_fixed_layout @usableFromInline final class LockedStorage<Value>: ManagedBuffer<Value, pthread_mutex_t> {
  @inlinable deinit {
    withUnsafeMutablePointerToElements { mutex in
      _ = pthread_mutex_destroy(mutex)
      mutex.deinitialize(count: 1)
    }
  }
}
