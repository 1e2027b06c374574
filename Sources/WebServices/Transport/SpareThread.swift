import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A thread on which an exchange has ended and that nothing waits for now. To decode and complete there saves waking
/// another thread, which takes longer than sending a small request.
enum SpareThread {
  /// What belongs on a queue.
  struct Work: Sendable {
    let queue: DispatchQueue
    let body: @Sendable () -> Void

    /// Does it on this thread, as a part of the queue.
    func perform() {
      queue.sync(execute: body)
    }

    /// Leaves it to a thread of the queue's.
    func dispatch() {
      queue.async(execute: body)
    }
  }

  /// Where the calling thread keeps the work that it takes over, if it takes any.
  private static let place: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// Runs the work on the queue, never before the caller has returned: on the calling thread, once that has nothing else
  /// to do, or on another one.
  static func run(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    let work = Work(queue: queue, body: body)
    guard let place, let taken = pthread_getspecific(place)?.assumingMemoryBound(to: Work?.self),
      taken.pointee == nil
    else { return work.dispatch() }
    taken.pointee = work
  }

  /// The first work that `body` wants run, left to the caller to perform or to dispatch.
  static func work(of body: () -> Void) -> Work? {
    var work: Work?
    guard let place else {
      body()
      return nil
    }
    withUnsafeMutablePointer(to: &work) { taken in
      pthread_setspecific(place, taken)
      body()
      pthread_setspecific(place, nil)
    }
    return work
  }
}
