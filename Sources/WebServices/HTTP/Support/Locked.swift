import Foundation

// The imports are public because other modules specialize the `@inlinable` functions of this file.
#if canImport(Darwin)
  public import Darwin
#elseif canImport(Musl)
  public import Musl
#elseif canImport(Glibc)
  public import Glibc
#endif

/// A value behind a lock: one object, however often it is handed on. `Mutex` would serve, but needs newer systems than
/// the package supports, and `NSLock` is three objects more for each value.
@usableFromInline package struct Locked<Value: Sendable>: @unchecked Sendable {
  // The mutex in `storage` guards the value beside it.
  @usableFromInline let storage: ManagedBuffer<Value, pthread_mutex_t>

  /// - Parameter value: evaluated in place, so that a large one isn't made and then copied.
  @inlinable package init(_ value: @autoclosure () -> Value) {
    storage = LockedStorage<Value>.create(minimumCapacity: 1) { buffer in
      // Without attributes a mutex needs nothing that could be lacking.
      buffer.withUnsafeMutablePointerToElements { mutex in
        mutex.initialize(to: pthread_mutex_t())
        _ = pthread_mutex_init(mutex, nil)
      }
      return value()
    }
  }

  /// Runs the body with the lock held. It must not call out: not to a handler, a session or another lock.
  @inlinable package func withLock<Output>(_ body: (inout Value) throws -> Output) rethrows -> Output {
    try storage.withUnsafeMutablePointers { value, mutex in
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }
}

/// Answers `true` to the first call and `false` to every other, on any thread.
package struct Once: Sendable {
  private let isTaken = Locked(false)

  package init() {}

  package func callAsFunction() -> Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }
}

/// Ends the mutex with the value.
@usableFromInline final class LockedStorage<Value>: ManagedBuffer<Value, pthread_mutex_t> {
  @inlinable deinit {
    withUnsafeMutablePointerToElements { mutex in
      _ = pthread_mutex_destroy(mutex)
      mutex.deinitialize(count: 1)
    }
  }
}
