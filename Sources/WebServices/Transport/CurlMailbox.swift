#if os(Linux)
  internal import CurlShim
  import Foundation

  /// What is to do, as whoever drives libcurl is told.
  enum CurlMessage {
    case start(CurlTask)
    case cancel(CurlTask)
    /// A receiver is ready for more of the response.
    case receiveMore(CurlTask)
    /// A body has more bytes, has ended or has failed.
    case sendMore(CurlTask)
    /// A body that isn't in memory is open.
    case opened(CurlTask, CurlBodySource)
    case fail(CurlTask, TransportError)
    case cancelAll
    /// A thread saw descriptors ready while another one drove.
    case ready([CurlShimReady])
  }

  /// The way from all threads to libcurl: it starts the session's threads, keeps what is to do, and sees to it that one
  /// thread at a time does it.
  ///
  /// `lock` guards everything that varies here, and what `CurlTask` says. It isn't around a value, which would have to be
  /// `Sendable`: the loop isn't.
  final class CurlMailbox: @unchecked Sendable {
    private let lock = Locked(())
    private var messages: [CurlMessage] = []
    private var turns = CurlTurns()
    /// The session's thread that runs a caller's completion.
    private var spared: pthread_t?
    private var isClosed = false
    /// There from the first request to the end.
    private var loop: CurlLoop?
    private var waiters: [@Sendable () -> Void] = []
    private let makeLoop: @Sendable (CurlMailbox, CurlWaker) -> CurlLoop

    init(makeLoop: @escaping @Sendable (CurlMailbox, CurlWaker) -> CurlLoop) {
      self.makeLoop = makeLoop
    }

    func withLock<Value>(_ body: () -> Value) -> Value {
      lock.withLock { _ in body() }
    }

    // MARK: From any thread

    /// Hands the task over; an error where it can't be. Where nothing else is under way, the request goes out on this
    /// thread: to wake another one takes longer. A long body doesn't: that would keep the caller for as long as it takes.
    func submit(_ task: CurlTask) -> TransportError? {
      let (error, driven): (TransportError?, CurlLoop?) = withLock {
        guard case .prepared = task.state else { return (nil, nil) }
        task.state = .submitted
        if case .failure(let error) = task.plan { return (error, nil) }
        if let error = prepare() { return (error, nil) }
        let loop = loopForCaller(task)
        append(.start(task))
        return (nil, loop)
      }
      if let driven { drive(driven) }
      return error
    }

    /// On a caller's thread; what comes meanwhile is left to a thread of the session's.
    private func drive(_ loop: CurlLoop) {
      loop.driveForCaller()
      withLock {
        turns.callerStopped()
        if !messages.isEmpty || isClosed { wake() }
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

    /// Hands the message over; `false` where the session is over and nobody takes it.
    @discardableResult
    func post(_ message: CurlMessage) -> Bool {
      withLock { append(message) }
    }

    /// No task is taken any longer; those under way end by themselves or, if asked for, now.
    func close(cancelling: Bool) {
      let handlers: [@Sendable () -> Void] = withLock {
        isClosed = true
        // Also when there is nothing to cancel: a thread has to see that it is over.
        if cancelling { append(.cancelAll) } else { wake() }
        guard loop == nil else { return [] }
        defer { waiters.removeAll() }
        return waiters
      }
      handlers.forEach { $0() }
    }

    /// Calls the handler once everything has been let go of; at once where there is nothing.
    func whenEnded(_ handler: @escaping @Sendable () -> Void) {
      let isOver = withLock {
        if isClosed, loop == nil { return true }
        waiters.append(handler)
        return false
      }
      if isOver { handler() }
    }

    // MARK: From who drives

    /// Swaps the messages with an empty array, whose room is used again.
    func take(into other: inout [CurlMessage]) {
      withLock { swap(&messages, &other) }
    }

    // MARK: From the session's threads

    /// A thread was woken by what is ready.
    func woke(_ ready: ArraySlice<CurlShimReady>) -> CurlTurns.Start {
      withLock {
        let next = turns.woke()
        if next == .sleep { messages.append(.ready(Array(ready))) }
        return next
      }
    }

    /// A thread has driven.
    ///
    /// - Parameter hasOtherWork: whether it would like to be spared.
    func stopped(_ loop: CurlLoop, hasOtherWork: Bool) -> CurlTurns.Rest {
      withLock {
        let rest = turns.stopped(
          hasMore: !messages.isEmpty, isFinished: isClosed && loop.transfers.isEmpty, hasOtherWork: hasOtherWork)
        guard case .spare(let startsAnother) = rest else { return rest }
        if startsAnother, !startThread(loop) {
          _ = turns.returned(hasMore: false)
          return .sleep
        }
        spared = pthread_self()
        return rest
      }
    }

    /// The thread that was spared is back.
    func returned(_ loop: CurlLoop) -> CurlTurns.Start {
      withLock {
        spared = nil
        let wasExpected = turns.isExpected
        let next = turns.returned(hasMore: !messages.isEmpty || isClosed)
        if wasExpected, next != .vanish { loop.waker.callOff() }
        return next
      }
    }

    /// A thread leaves for good; the last one turns off the light.
    func left() {
      let (deserted, handlers): (CurlLoop?, [@Sendable () -> Void]) = withLock {
        guard turns.isDeserted else {
          loop?.waker.wake()
          return (nil, [])
        }
        defer {
          loop = nil
          waiters.removeAll()
        }
        return (loop, waiters)
      }
      deserted?.tearDown()
      handlers.forEach { $0() }
    }

    // MARK: With the lock held

    @discardableResult
    private func append(_ message: CurlMessage) -> Bool {
      guard loop != nil, !turns.isOver else { return false }
      messages.append(message)
      wake()
      return true
    }

    /// The loop that a caller's thread may drive to start a request; `nil` where a thread of the session's does it.
    private func loopForCaller(_ task: CurlTask) -> CurlLoop? {
      if case .data(let body) = task.request.body, body.count > CurlUploadBuffer.usual { return nil }
      guard let loop, loop.features.hasAsynchronousLookup, !isSpared, turns.takesCaller() else { return nil }
      guard loop.transfers.isEmpty, messages.isEmpty else {
        turns.callerStopped()
        return nil
      }
      return loop
    }

    private var isSpared: Bool { spared.map { pthread_equal($0, pthread_self()) != 0 } ?? false }

    private func wake() {
      guard let loop else { return }
      switch turns.call(isSpared: isSpared) {
      case .now: loop.waker.wake()
      case .soon: loop.waker.wakeSoon()
      case nil: break
      }
    }

    /// Makes the loop, with a thread that serves it; an error where there is none.
    private func prepare() -> TransportError? {
      func failure(_ kind: TransportError.Kind, _ message: String) -> TransportError {
        TransportError(kind, message: message, mayHaveReachedServer: false)
      }
      guard !isClosed else { return failure(.invalidated, "the session has been invalidated") }
      guard loop == nil else { return nil }
      guard let waker = CurlWaker() else { return failure(.other, "no descriptor is left for the session") }
      let loop = makeLoop(self, waker)
      turns.began()
      guard startThread(loop) else {
        loop.tearDown()
        return failure(.other, "no thread could be started")
      }
      self.loop = loop
      return nil
    }

    /// Starts the thread that `turns` knows of already.
    private func startThread(_ loop: CurlLoop) -> Bool {
      let isStarted = CurlThread.start { loop.serve() }
      if !isStarted { turns.failedToBegin() }
      return isStarted
    }
  }
#endif
