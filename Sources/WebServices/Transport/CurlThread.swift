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
          // No other signal is blocked: threads and processes inherit what the thread that starts them blocks.
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
#endif
