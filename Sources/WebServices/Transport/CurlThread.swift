#if os(Linux)
  internal import CurlShim
  import Foundation

  /// Starts the transport's thread. `Thread` would not tell that the system has no thread left.
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
  }

  /// The two descriptors that a session's thread sleeps on: a poller, and an event that ends its sleep.
  ///
  /// Both numbers never change. `close()` is the last call, and the mailbox's lock keeps `wake()` before it.
  final class CurlWaker: Sendable {
    let poller: Int32
    let event: Int32

    init?() {
      poller = curlShimPollerMake()
      event = curlShimEventMake()
      guard poller >= 0, event >= 0, curlShimPollerWatch(poller, event, Int32(curlPollIn), false) else {
        close()
        return nil
      }
    }

    func wake() {
      curlShimEventSignal(event)
    }

    /// Makes the next sleep possible after a call of `wake()`.
    func clear() {
      curlShimEventClear(event)
    }

    func close() {
      if poller >= 0 { _ = Glibc.close(poller) }
      if event >= 0 { _ = Glibc.close(event) }
    }
  }
#endif
