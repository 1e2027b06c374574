import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
    #if canImport(Darwin)
      var created: pthread_t?
      let code = pthread_create(&created, nil, Self.main, body.toOpaque())
    #elseif canImport(Musl)
      var created: pthread_t?
      let code = pthread_create(&created, nil, Self.main, body.toOpaque())
    #else
      var thread = pthread_t()
      let code = pthread_create(&thread, nil, Self.main, body.toOpaque())
      let created: pthread_t? = thread
    #endif
    guard code == 0, let created else {
      body.release()
      throw SystemError("pthread_create", code: code)
    }
    handle = created
  }

  #if canImport(Darwin)
    /// The parameter of a thread's function, which Darwin declares as not optional.
    private typealias Context = UnsafeMutableRawPointer
  #else
    private typealias Context = UnsafeMutableRawPointer?
  #endif

  private static let main: @convention(c) (Context) -> UnsafeMutableRawPointer? = { context in
    let context: UnsafeMutableRawPointer? = context
    if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
    return nil
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
