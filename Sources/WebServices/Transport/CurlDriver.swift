#if os(Linux)
  internal import CurlShim
  import Foundation
  import Synchronization

  /// A command for the thread that drives libcurl. Other threads queue commands, because they must not call libcurl.
  enum DriverCommand {
    case start(CurlTransfer)
    /// Ends the transfer, or all transfers if none is named.
    case end(CurlTransfer?, TransportError)
    /// A receiver is ready for more of the response (`curlPauseReceiving`), or a body has more bytes, has ended or has
    /// failed (`curlPauseSending`).
    case resume(CurlTransfer, Int)
    /// A body that isn't in memory is open.
    case opened(CurlTransfer, CurlBodySource)
  }

  /// Owns the session's thread, and passes commands to it. The thread alone drives libcurl, from a request until no
  /// transfer is left and the session is invalidated, released or unused for as long as a connection may be. It then
  /// frees everything. A task that comes later is started on another thread, also after the session was released.
  ///
  /// `lock` guards all variables here and those of `CurlTransfer`. The variables aren't in the lock's value, because
  /// those of the transfers can't be there. The value has no meaning. With an empty value, the thread sanitizer would
  /// take each use of the lock for a write to its object.
  final class CurlDriver: DescriptionOnly, @unchecked Sendable {
    private let lock = Locked(false)
    private var commands: [DriverCommand] = []
    /// The number of transfers in the state `running`.
    var runningCount = 0
    /// The state of the session's thread. A thread that is asleep has to be woken.
    private enum Attention: UInt8, AtomicRepresentable { case asleep, awake, willTakeCommands }
    /// Changed with the lock held, but by the thread when it wakes: a turn without commands takes no lock for them.
    private let attention = Atomic(Attention.asleep)
    /// The poller of a thread that has to be woken once the lock is released.
    private var woken: CurlPoller?
    private enum Life {
      case open
      /// The thread ends once no transfer is running.
      case released
      /// No new task is accepted, and the thread ends.
      case invalidated
    }
    private var life = Life.open
    /// The loop, from a request until the thread takes it to free it.
    private(set) var loop: CurlLoop?
    private let makeLoop: @Sendable (CurlDriver, CurlPoller) -> CurlLoop?

    init(makeLoop: @escaping @Sendable (CurlDriver, CurlPoller) -> CurlLoop?) { self.makeLoop = makeLoop }

    /// Runs the body with the lock held. The body must not call libcurl, a completion or `withLock` again.
    func withLock<Value>(_ body: () -> Value) -> Value {
      let (value, woken) = lock.withLock { _ in (body(), self.woken.take()) }
      // Without the lock, which the thread takes as soon as it is awake.
      woken?.wake()
      return value
    }

    // MARK: From any thread

    /// Queues a command, and wakes the thread if necessary; `false` if the session is over.
    @discardableResult
    func post(_ command: DriverCommand) -> Bool { withLock { append(command) } }

    /// Ends all tasks, and accepts no more.
    func invalidate() {
      withLock {
        life = .invalidated
        append(.end(nil, .sent(.cancelled, "the session was invalidated")))
      }
    }

    /// The thread ends with the last running task. Without any, it has to notice the end.
    func endWithLastTask() {
      withLock {
        if life == .open { life = .released }
        wake()
      }
    }

    // MARK: From the session's thread

    /// Swaps the queued commands, if there are any, with an empty array, whose memory is used again.
    func swapCommands(with other: inout [DriverCommand]) {
      guard attention.load(ordering: .relaxed) == .willTakeCommands else { return }
      withLock {
        swap(&commands, &other)
        attention.store(.awake, ordering: .relaxed)
      }
    }

    /// The main function of the session's thread. It returns when the session is over.
    private func serve() {
      guard let loop = withLock({ loop }) else { return }
      var ready = [CurlShimReady](repeating: CurlShimReady(), count: CurlPoller.batch)
      var seen = 0
      while true {
        loop.turn(ready[..<seen])
        for ending in loop.endings { ending.transfer.complete(ending.result) }
        loop.endings.removeAll(keepingCapacity: true)
        // The thread doesn't sleep while there are commands. It frees a loop that was unused for long, or whose session
        // is over: nobody else drives then, submits a task to the loop or wakes its poller.
        let sleepEnd: UInt64? = withLock {
          guard commands.isEmpty else { return 0 }
          attention.store(.asleep, ordering: .relaxed)
          if runningCount == 0, life != .open || loop.unusedEnd <= loop.now { self.loop = nil }
          return self.loop == nil ? nil : loop.due
        }
        guard let sleepEnd else { return loop.tearDown() }
        seen = loop.poller.wait(&ready, until: sleepEnd)
        _ = attention.compareExchange(expected: .asleep, desired: .awake, ordering: .relaxed)
      }
    }

    // MARK: With the lock held

    /// Queues a command and wakes the thread for it; `false` if the session is over.
    @discardableResult
    func append(_ command: DriverCommand) -> Bool {
      guard loop != nil else { return false }
      commands.append(command)
      wake()
      return true
    }

    private func wake() {
      if attention.exchange(.willTakeCommands, ordering: .relaxed) == .asleep { woken = loop?.poller }
    }

    /// Makes the loop and its thread unless they are there, or returns an error.
    func prepare() -> TransportError? {
      guard life != .invalidated else { return .sessionIsInvalidated }
      guard loop == nil else { return nil }
      guard let poller = CurlPoller() else { return .unsent(.other, "no descriptor is left for the session") }
      guard let loop = makeLoop(self, poller) else {
        return .unsent(.other, "libcurl rejected the session's callbacks, or is out of memory")
      }
      guard startThread() else {
        loop.tearDown()
        return .unsent(.other, "no thread could be started")
      }
      self.loop = loop
      // The thread looks at the commands before it sleeps for the first time.
      attention.store(.awake, ordering: .relaxed)
      return nil
    }

    /// Starts a thread with pthreads, because `Thread` doesn't report that the system has no thread left.
    private func startThread() -> Bool {
      let context = Unmanaged.passRetained(self)
      let isStarted = curlShimThreadStart(
        { context in
          curlShimThreadName(CurlDriver.threadName)
          // No other signal is blocked: threads and processes inherit what the thread that starts them blocks.
          if CurlLibrary.raisesPipeSignal { curlShimPipeSignalBlock() }
          Unmanaged<CurlDriver>.fromOpaque(context).takeRetainedValue().serve()
          return nil
        }, context.toOpaque())
      if !isStarted { context.release() }
      return isStarted
    }

    /// At most 15 bytes, the system's limit.
    static let threadName = "CurlSession"

    /// Nothing of the handles that the loop keeps: their options have the proxy's password.
    var description: String { "the driver of a CurlSession" }
  }

  /// The descriptors that a session's thread sleeps on. Any thread may call `wake`, which ends the sleep.
  ///
  /// Nothing here needs a lock, because the descriptors never change. They are closed with the last reference, so that
  /// a late `wake` can't write to a file that has got the same number.
  final class CurlPoller: Sendable {
    /// The most descriptors that one call of `wait` returns.
    static let batch = curlPollBatch

    /// The poller's own descriptor.
    let descriptor: Int32
    private let event: Int32

    init?() {
      event = curlShimEventMake()
      descriptor = curlShimPollerMake(event)
      guard descriptor >= 0 else { return nil }
    }

    /// Waits until a descriptor is ready, `wake` is called, or the time has come.
    ///
    /// - Parameters:
    ///   - ready: has `batch` entries.
    ///   - deadline: in nanoseconds of `CurlLoop.readClock()`; 0 doesn't wait. No wait is longer than 24 days.
    /// - Returns: the number of entries that were filled; possibly 0.
    func wait(_ ready: inout [CurlShimReady], until deadline: UInt64) -> Int {
      let now = deadline == 0 ? 0 : CurlLoop.readClock()
      // Rounded up: a thread that wakes too early would find nothing to do until the time has come.
      let milliseconds = deadline > now ? Int32(clamping: (deadline - now) / 1_000_000 + 1) : 0
      return Int(curlShimPollerWait(descriptor, &ready, milliseconds))
    }

    func wake() { curlShimEventSignal(event) }

    deinit { for descriptor in [descriptor, event] where descriptor >= 0 { _ = close(descriptor) } }
  }
#endif
