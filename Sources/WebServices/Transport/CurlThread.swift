#if os(Linux)
  internal import CurlShim
  import Foundation

  /// Starts a thread of a session's. `Thread` would not tell that the system has no thread left.
  enum CurlThread {
    /// At most 15 bytes, the system's limit.
    static let name = "CurlSession"

    private final class Box {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
      var attributes = pthread_attr_t()
      guard pthread_attr_init(&attributes) == 0 else { return false }
      defer { pthread_attr_destroy(&attributes) }
      pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
      let box = Unmanaged.passRetained(Box(body))
      var thread = pthread_t()
      let result = pthread_create(
        &thread, &attributes,
        { context in
          guard let context else { return nil }
          curlShimThreadPrepare(CurlThread.name)
          Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
          return nil
        }, box.toOpaque())
      if result != 0 { box.release() }
      return result == 0
    }

    /// Keeps the signal from a thread that isn't ours which tells of a peer that went away: it would end the program.
    static func withoutPipeSignal(_ body: () -> Void) {
      let isHeld = curlShimPipeSignalHold()
      body()
      if isHeld { curlShimPipeSignalDrop() }
    }
  }

  /// The descriptors that a session's threads sleep on: a poller, and signals that each end the sleep of one of them.
  ///
  /// Their numbers never change. `close()` is the last call; the driver sees to it.
  final class CurlWaker: Sendable {
    /// How long a thread is waited for that is spared for a completion and has left something to do. To wake another one
    /// for it takes longer than most completions do.
    private static let patience: UInt64 = 500_000

    let poller: Int32
    private let event: Int32
    private let timer: Int32
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

    /// Sleeps until something is ready.
    ///
    /// - Returns: how much is.
    func sleep(_ ready: inout [CurlShimReady]) -> Int {
      Int(curlShimPollerWait(poller, &ready, Int32(ready.count)))
    }

    func wake() {
      curlShimEventSignal(event)
    }

    /// Wakes a thread at this time, in nanoseconds, and replaces an earlier time.
    func wake(at time: UInt64) {
      curlShimTimerSet(timer, max(1, time))
    }

    /// Wakes a thread in a moment, unless that is called off.
    func wakeSoon() {
      curlShimTimerSet(reminder, CurlLoop.readClock() + Self.patience)
    }

    func callOff() {
      curlShimTimerSet(reminder, 0)
    }

    func close() {
      for descriptor in [poller, event, timer, reminder] where descriptor >= 0 { _ = Glibc.close(descriptor) }
    }
  }
#endif
