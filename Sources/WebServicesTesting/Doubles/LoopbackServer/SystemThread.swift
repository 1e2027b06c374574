import Foundation

/// A thread that can be joined, unlike Foundation's. After `join` the thread has fully ended.
///
/// `@unchecked Sendable` without a lock: `handle` never changes, and POSIX allows its use on any thread.
struct SystemThread: @unchecked Sendable {
  private let handle: pthread_t

  /// Carries the closure through the C function, which takes a pointer.
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts the thread. Its name may have 15 bytes.
  init(named name: String, _ run: @escaping @Sendable () -> Void) throws {
    let body = Unmanaged.passRetained(
      Body {
        Thread.current.name = name
        run()
      })
    var created = System.noThread
    // Darwin declares the context as not optional.
    let code = pthread_create(
      &created, nil,
      { context in
        let context: UnsafeMutableRawPointer? = context
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    guard code == 0, let created = created as pthread_t? else {
      body.release()
      throw SystemError("pthread_create", code: code)
    }
    handle = created
  }

  /// Waits for the thread's end. The last reference to a server may be released on the server's own thread, which can't
  /// wait for itself: the thread is detached then.
  func join() {
    guard pthread_equal(pthread_self(), handle) == 0 else {
      pthread_detach(handle)
      return
    }
    pthread_join(handle, nil)
  }
}
