package import Foundation

/// Runs the completion of a request on the thread that read the response, when nothing waits for that thread. This
/// saves waking another thread, which takes longer than sending a small request.
package enum InlineCompletion {
  /// A completion and the queue that it belongs to.
  package struct Work: Sendable {
    let queue: DispatchQueue
    let body: @Sendable () -> Void

    /// Runs the completion on this thread, as a part of its queue. It waits for the earlier work of a serial queue.
    package func perform() { queue.sync(execute: body) }

    /// Runs the completion on a thread of its queue.
    package func dispatch() { queue.async(execute: body) }
  }

  /// A thread-local pointer to the variable of `capturedWork(of:)`; null on threads that run no completion inline.
  private static let place: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// Runs the work on the queue, never before the caller has returned. The work runs on the calling thread when that
  /// has nothing else to do, or on another thread.
  package static func run(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    let work = Work(queue: queue, body: body)
    guard let place, let taken = pthread_getspecific(place)?.assumingMemoryBound(to: Work?.self),
      taken.pointee == nil
    else { return work.dispatch() }
    // Not run here: the caller of this function is still inside its own work, possibly with a lock held.
    taken.pointee = work
  }

  /// Whether this thread is inside of `capturedWork(of:)`, and so drives transfers.
  package static var isCapturing: Bool { place.map { pthread_getspecific($0) != nil } ?? false }

  /// Runs `body`, and returns the first work that `body` passes to `run`. The caller must perform or dispatch it.
  /// Further work goes to its queue.
  package static func capturedWork(of body: () -> Void) -> Work? {
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
