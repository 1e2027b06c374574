package import Dispatch

extension DispatchQueue {
  /// Runs work on a thread of this queue. A simulated thread takes the work itself.
  package func enqueue(_ work: @escaping @Sendable () -> Void) {
    #if DEBUG || SIMULATION
      if let thread = SimulatedThread.current { return thread.enqueue(label, work) }
    #endif
    async(execute: work)
  }

  /// Runs work as a part of this queue, and waits for its end. A simulated thread runs nothing else meanwhile.
  package func enqueueAndWait<Output>(_ work: () throws -> Output) rethrows -> Output {
    #if DEBUG || SIMULATION
      if let thread = SimulatedThread.current {
        thread.willLock()
        defer { thread.didUnlock() }
        return try work()
      }
    #endif
    return try sync(execute: work)
  }
}

#if DEBUG || SIMULATION
  import Foundation

  /// The thread in which a simulation runs everything that would run on several threads. Only builds for tests have it.
  ///
  /// Unchecked, because only the simulated thread itself uses the object.
  @usableFromInline package final class SimulatedThread: @unchecked Sendable {
    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      return key
    }()

    /// Takes the work for a queue with this label.
    let enqueue: (_ label: String, _ work: @escaping @Sendable () -> Void) -> Void
    /// Runs other work, as if the system had stopped the thread for a while.
    private let yield: () -> Void
    private var heldLocks = 0

    package init(
      enqueue: @escaping (_ label: String, _ work: @escaping @Sendable () -> Void) -> Void, yield: @escaping () -> Void
    ) {
      self.enqueue = enqueue
      self.yield = yield
    }

    /// The simulation of this thread; `nil` on every other thread.
    @usableFromInline package static var current: SimulatedThread? {
      pthread_getspecific(key).map { Unmanaged<SimulatedThread>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Makes this thread the simulated one while the body runs.
    package func perform<Output>(_ body: () throws -> Output) rethrows -> Output {
      pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
      defer { pthread_setspecific(Self.key, nil) }
      return try body()
    }

    @usableFromInline package func willLock() { heldLocks += 1 }

    @usableFromInline package func didUnlock() {
      heldLocks -= 1
      // Work that waits for a lock of this thread could never go on.
      if heldLocks == 0 { yield() }
    }
  }
#endif
