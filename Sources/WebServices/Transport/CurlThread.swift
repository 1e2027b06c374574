#if os(Linux)
  internal import CurlShim
  import Foundation

  /// Starts a session's thread with pthreads, because `Thread` doesn't report that the system has no thread left.
  enum CurlThread {
    /// At most 15 bytes, the system's limit.
    static let name = "CurlSession"

    /// Carries the body through the C function, which takes a pointer.
    private final class Box {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a thread that runs the body; `false` if the system has no thread left.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
      var attributes = pthread_attr_t()
      guard pthread_attr_init(&attributes) == 0 else { return false }
      defer { pthread_attr_destroy(&attributes) }
      // Nobody joins the thread, which frees itself when it ends.
      pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
      let box = Unmanaged.passRetained(Box(body))
      var thread = pthread_t()
      let result = pthread_create(
        &thread, &attributes,
        { context in
          guard let context else { return nil }
          curlShimThreadName(CurlThread.name)
          // No other signal is blocked: the app's completions run here, and the threads and processes that they start
          // inherit what this thread blocks.
          if CurlLibrary.raisesPipeSignal { _ = curlShimPipeSignalHold() }
          Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
          return nil
        }, box.toOpaque())
      // Without a thread nobody else releases the box.
      if result != 0 { box.release() }
      return result == 0
    }

    /// Runs the body with SIGPIPE blocked on a caller's thread, if libcurl may raise the signal.
    static func withoutPipeSignal(_ body: () -> Void) {
      let isHeld = CurlLibrary.raisesPipeSignal && curlShimPipeSignalHold()
      body()
      if isHeld { curlShimPipeSignalDrop() }
    }
  }

  /// The descriptors that a session's threads sleep on: a poller, an event and two timers. Any thread may call `wake`,
  /// which ends the sleep of one thread.
  ///
  /// Nothing here needs a lock, because the descriptors never change. The driver makes `close()` the last call.
  final class CurlWaker: Sendable {
    /// How long a command waits for the spared thread, in nanoseconds. Waking another thread takes longer than most
    /// completions do.
    private static let patience: UInt64 = 500_000

    let poller: Int32
    private let event: Int32
    /// Fires at the loop's next deadline.
    private let timer: Int32
    /// Fires when the spared thread hasn't returned in time.
    private let reminder: Int32

    init?() {
      poller = curlShimPollerMake()
      event = curlShimEventMake()
      timer = curlShimTimerMake()
      reminder = curlShimTimerMake()
      let signals = [event, timer, reminder]
      guard poller >= 0, signals.allSatisfy({ $0 >= 0 && curlShimPollerWatchSignals(poller, $0) }) else {
        close()
        return nil
      }
    }

    /// Sleeps until a descriptor is ready or a signal comes.
    ///
    /// - Returns: the number of entries that were filled; possibly 0.
    func sleep(_ ready: inout [CurlShimReady]) -> Int {
      Int(curlShimPollerWait(poller, &ready, Int32(ready.count)))
    }

    func wake() {
      curlShimEventSignal(event)
    }

    /// Wakes a thread at this time, in nanoseconds, and replaces an earlier time.
    func wake(at time: UInt64) {
      // 0 would disarm the timer.
      curlShimTimerSet(timer, max(1, time))
    }

    /// Wakes a thread after half a millisecond, unless `cancelWakeSoon()` is called first.
    func wakeSoon() {
      curlShimTimerSet(reminder, CurlLoop.readClock() + Self.patience)
    }

    func cancelWakeSoon() {
      curlShimTimerSet(reminder, 0)
    }

    func close() {
      for descriptor in [poller, event, timer, reminder] where descriptor >= 0 { _ = Foundation.close(descriptor) }
    }
  }
#endif
