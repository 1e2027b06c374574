#if os(Linux)
  internal import CurlShim

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
      let box = Unmanaged.passRetained(Box(body))
      let isStarted = curlShimThreadStart(
        { context in
          curlShimThreadName(CurlThread.name)
          // No other signal is blocked: threads and processes inherit what the thread that starts them blocks.
          if CurlLibrary.raisesPipeSignal { curlShimPipeSignalBlock() }
          Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
          return nil
        }, box.toOpaque())
      // Without a thread nobody else releases the box.
      if !isStarted { box.release() }
      return isStarted
    }
  }
#endif
