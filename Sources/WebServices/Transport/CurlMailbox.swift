#if os(Linux)
  import Foundation

  /// What the transport's thread is told.
  enum CurlMessage {
    case start(CurlTask)
    case cancel(CurlTask)
    /// A receiver or a file is ready for more of the answer.
    case receiveMore(CurlTask)
    /// A body has more bytes, has ended or has failed.
    case sendMore(CurlTask)
    /// Body and file are open.
    case opened(CurlTask, CurlAttachments)
    case fail(CurlTask, TransportError)
    case cancelAll
  }

  /// The way from all threads to the transport's: it starts the thread with the first message, wakes it when it sleeps
  /// and knows when it has ended.
  ///
  /// `lock` guards everything that varies here, and what `CurlTask` says.
  final class CurlMailbox: @unchecked Sendable {
    private enum ThreadState {
      case none
      case running(CurlWaker)
      case ended
    }

    /// What the thread does when it has seen all messages.
    enum Next {
      case sleep
      case look
      case end
    }

    private let lock = NSLock()
    private var messages: [CurlMessage] = []
    private var thread = ThreadState.none
    private var isClosed = false
    private var isAsleep = false
    private var waiters: [@Sendable () -> Void] = []
    private let makeLoop: @Sendable (CurlMailbox, CurlWaker) -> CurlLoop

    init(makeLoop: @escaping @Sendable (CurlMailbox, CurlWaker) -> CurlLoop) {
      self.makeLoop = makeLoop
    }

    func withLock<Value>(_ body: () -> Value) -> Value {
      lock.lock()
      defer { lock.unlock() }
      return body()
    }

    // MARK: From any thread

    /// Hands the task over; an error where it can't be.
    func submit(_ task: CurlTask) -> TransportError? {
      withLock {
        guard case .prepared = task.state else { return nil }
        task.state = .submitted
        if case .failure(let error) = task.plan { return error }
        guard !isClosed else {
          return TransportError(
            .invalidated, message: "the session has been invalidated", mayHaveReachedServer: false)
        }
        if case .none = thread, let error = startThread() { return error }
        append(.start(task))
        return nil
      }
    }

    /// Whether the task had not been submitted: then its owner ends it.
    func cancel(_ task: CurlTask) -> Bool {
      withLock {
        switch task.state {
        case .ended:
          return false
        case .submitted:
          append(.cancel(task))
          return false
        case .prepared:
          task.state = .submitted
          return true
        }
      }
    }

    func post(_ message: CurlMessage) {
      withLock { append(message) }
    }

    /// No task is taken any longer; those under way end by themselves or, if asked for, now.
    func close(cancelling: Bool) {
      withLock {
        isClosed = true
        if case .none = thread {
          thread = .ended
        }
        // Also when there is nothing to cancel: the thread has to see that it may end.
        if cancelling { append(.cancelAll) } else { wake() }
      }
    }

    /// Calls the handler once the thread has let go of everything; at once where it never ran.
    func whenEnded(_ handler: @escaping @Sendable () -> Void) {
      let isOver = withLock {
        if case .ended = thread { return true }
        waiters.append(handler)
        return false
      }
      if isOver { handler() }
    }

    // MARK: From the thread

    /// Swaps the messages with an empty array, whose room is used again.
    func take(into other: inout [CurlMessage]) {
      withLock {
        isAsleep = false
        swap(&messages, &other)
      }
    }

    func next(hasWork: Bool) -> Next {
      withLock {
        guard messages.isEmpty else { return .look }
        if isClosed, !hasWork { return .end }
        isAsleep = true
        return .sleep
      }
    }

    /// The thread has let go of everything.
    func didEnd(closing waker: CurlWaker) {
      let handlers = withLock {
        thread = .ended
        waker.close()
        messages.removeAll()
        defer { waiters.removeAll() }
        return waiters
      }
      handlers.forEach { $0() }
    }

    // MARK: With the lock held

    private func append(_ message: CurlMessage) {
      guard case .running = thread else { return }
      messages.append(message)
      wake()
    }

    private func wake() {
      guard isAsleep, case .running(let waker) = thread else { return }
      isAsleep = false
      waker.wake()
    }

    private func startThread() -> TransportError? {
      guard let waker = CurlWaker() else {
        return TransportError(
          .other, message: "no descriptor is left for the session", mayHaveReachedServer: false)
      }
      let makeLoop = makeLoop
      let isStarted = CurlThread.start { makeLoop(self, waker).run() }
      guard isStarted else {
        waker.close()
        return TransportError(.other, message: "no thread could be started", mayHaveReachedServer: false)
      }
      thread = .running(waker)
      return nil
    }
  }
#endif
