#if os(Linux)
  internal import CurlShim
  import Foundation

  /// A command for the thread that drives libcurl. Other threads queue commands, because they must not call libcurl.
  enum DriverCommand {
    case start(CurlTask)
    case cancel(CurlTask)
    /// A receiver is ready for more of the response (`curlPauseReceiving`), or a body has more bytes, has ended or has
    /// failed (`curlPauseSending`).
    case resume(CurlTask, Int)
    /// A body that isn't in memory is open.
    case opened(CurlTask, CurlBodySource)
    case fail(CurlTask, TransportError)
    case cancelAll
    /// The poller has notified a thread of these descriptors while another one drove.
    case ready([Int32])
  }

  /// Lets one thread at a time drive libcurl, and completes requests on the thread that read their responses.
  ///
  /// Only one thread at a time may use a multi handle of libcurl. In the usual design one thread owns the handle. Each
  /// request wakes that thread, and each completion wakes a thread of the caller's queue. For a small response from a
  /// near server the two wake-ups take longer than everything else. `CurlDriver` saves both:
  ///
  /// 1. A caller sends its own request. If no thread drives and no other request is in progress, `submit` drives on the
  ///    caller's thread for a moment.
  /// 2. A session's thread completes a request inline. A thread with nothing left to drive runs one completion, as a
  ///    part of the completion's own queue (`InlineCompletion`). Another thread sleeps meanwhile and drives when there
  ///    is work. A completion that works or waits for long blocks no transfer.
  /// 3. The other completions leave for their queues after each round of `CurlLoop.turn`, not when the thread has nothing
  ///    left to drive. While it reads more responses, their threads decode, and send the next requests.
  ///
  /// `DriverElection` decides these rules under `lock`:
  /// - A thread sleeps, drives, or is spared for a completion. No two threads drive.
  /// - A session has at most two threads. The first starts with the first request. The second starts for an inline
  ///   completion when no thread sleeps.
  /// - A command for libcurl wakes a sleeping thread, unless a thread drives. A driving thread checks for commands once
  ///   more before it stops, under the same lock, so no command is lost.
  /// - A command from the spared thread, where most requests begin, wakes no thread. The thread drives itself after its
  ///   completion has returned, which is sooner than another thread wakes. If the completion takes longer than half a
  ///   millisecond, a timer wakes the sleeping thread.
  /// - The poller notifies one thread once that a descriptor is ready. If another thread drives, the command `ready`
  ///   makes that thread ask the descriptor itself.
  /// - When the session is over, each thread that wakes leaves and wakes the next. The last one frees everything.
  ///
  /// `lock` guards all variables here and those of `CurlTask`, and passes the state of `CurlLoop` from one driving
  /// thread to the next. The variables aren't in the lock's value, because those of the tasks can't be there. The value
  /// has no meaning. With an empty value, the thread sanitizer would take each use of the lock for a write to its
  /// object.
  final class CurlDriver: @unchecked Sendable {
    private let lock = Locked(false)
    private var commands: [DriverCommand] = []
    private var election = DriverElection()
    /// The session's thread that runs a caller's completion.
    private var spared: pthread_t?
    /// Whether the session was invalidated or released, so that no new task is accepted.
    private var isClosed = false
    /// The loop, from the first request until the last thread takes it to free it.
    private(set) var loop: CurlLoop?
    private let makeLoop: @Sendable (CurlDriver, CurlWaker) -> CurlLoop?

    init(makeLoop: @escaping @Sendable (CurlDriver, CurlWaker) -> CurlLoop?) {
      self.makeLoop = makeLoop
    }

    /// Runs the body with the lock held. The body must not call libcurl, a completion or `withLock` again.
    func withLock<Value>(_ body: () -> Value) -> Value {
      lock.withLock { _ in body() }
    }

    // MARK: From any thread

    /// Submits the task, or returns an error. If no other request is in progress, this thread sends the request,
    /// because waking another thread takes longer. A long body isn't sent here, because that would block the caller.
    func submit(_ task: CurlTask) -> TransportError? {
      let (error, driven): (TransportError?, CurlLoop?) = withLock {
        guard case .prepared = task.state else { return (nil, nil) }
        task.state = .submitted
        if case .failure(let error) = task.plan { return (error, nil) }
        if let error = prepare() { return (error, nil) }
        // In this order: if this thread is to drive, `append` wakes no other one.
        let loop = loopForCaller(task)
        append(.start(task))
        return (nil, loop)
      }
      if let driven { driveForCaller(driven) }
      return error
    }

    /// Drives for a moment on a caller's thread. A thread of the session takes the commands that come meanwhile.
    private func driveForCaller(_ loop: CurlLoop) {
      // Two rounds send the request. With more, a fast server could keep the caller's thread busy.
      CurlThread.withoutPipeSignal { loop.turn(rounds: 2) }
      // An app's completion never runs inside a call that starts a request.
      loop.lastCompletion.take()?.dispatch()
      withLock {
        election.callerStopped()
        if !commands.isEmpty || isClosed { wake() }
      }
    }

    /// Cancels the task.
    ///
    /// - Returns: whether the task was never submitted. The caller then completes the task, because no loop knows it.
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

    /// Queues a command, and wakes a thread if necessary; `false` if the session is over.
    @discardableResult
    func post(_ command: DriverCommand) -> Bool {
      withLock { append(command) }
    }

    /// Accepts no more tasks. The running ones end by themselves, or at once if `cancelling` is set.
    func close(cancelling: Bool) {
      withLock {
        isClosed = true
        // Even without anything to cancel, a thread has to notice the end.
        if cancelling { append(.cancelAll) } else { wake() }
      }
    }

    /// Whether the session is closed, and its last thread frees everything or has done so.
    var isOver: Bool { withLock { isClosed && loop == nil } }

    // MARK: From the thread that drives

    /// Swaps the queued commands with an empty array, whose memory is used again.
    func swapCommands(with other: inout [DriverCommand]) {
      withLock { swap(&commands, &other) }
    }

    // MARK: From the session's threads

    /// The main function of each of the session's threads. It returns when the session is over.
    private func serve(_ loop: CurlLoop) {
      // The most entries of one `curlShimPollerWait`.
      var ready = [CurlShimReady](repeating: CurlShimReady(), count: 64)
      var next = DriverElection.NextStep.sleep
      while next == .sleep {
        let seen = ready[..<loop.waker.sleep(&ready)]
        next = threadWoke(seen)
        if next == .drive { loop.handle(seen) }
        while next == .drive { next = drive(loop) }
      }
      if next == .leave { threadEnds() }
    }

    /// Drives until there is nothing to do, and then runs a completion, if one is due.
    private func drive(_ loop: CurlLoop) -> DriverElection.NextStep {
      while true {
        loop.turn(rounds: 32)
        // Taken before another thread may drive.
        let work = loop.lastCompletion.take()
        let rest = threadStoppedDriving(loop, hasCompletion: work != nil)
        switch rest {
        case .lookAgain:
          loop.lastCompletion = work
          continue
        case .spare:
          work?.perform()
          return threadReturned(loop)
        case .sleep, .leave:
          work?.dispatch()
          return rest == .leave ? .leave : .sleep
        }
      }
    }

    /// Decides what a thread does that was woken. If another thread drives, that thread gets the ready descriptors,
    /// because the poller doesn't report them again.
    private func threadWoke(_ ready: ArraySlice<CurlShimReady>) -> DriverElection.NextStep {
      withLock {
        let next = election.threadWoke()
        if next == .sleep { commands.append(.ready(ready.map(\.descriptor))) }
        return next
      }
    }

    /// Decides what a thread does that has nothing left to drive.
    ///
    /// - Parameter hasCompletion: whether the thread has a completion to run.
    private func threadStoppedDriving(_ loop: CurlLoop, hasCompletion: Bool) -> DriverElection.StepAfterDriving {
      withLock {
        let rest = election.threadStoppedDriving(
          hasMore: !commands.isEmpty, isFinished: isClosed && loop.transfers.isEmpty, hasCompletion: hasCompletion)
        guard case .spare(let startsAnother) = rest else { return rest }
        // Without a second thread nobody would watch the connections, so this thread sleeps instead.
        if startsAnother, !startThread(loop) {
          _ = election.threadReturned(hasMore: false)
          return .sleep
        }
        spared = pthread_self()
        return rest
      }
    }

    /// Decides what the spared thread does after its completion.
    private func threadReturned(_ loop: CurlLoop) -> DriverElection.NextStep {
      withLock {
        spared = nil
        let wasWakeScheduled = election.isWakeScheduled
        let next = election.threadReturned(hasMore: !commands.isEmpty || isClosed)
        // After `vanish` the last other thread may have closed the waker.
        if wasWakeScheduled, next != .vanish { loop.waker.cancelWakeSoon() }
        return next
      }
    }

    /// Called by a thread that ends. The last one frees everything, and each other one wakes the next. Two threads may
    /// find that no other one is left, so the one that takes the loop frees it.
    private func threadEnds() {
      let deserted = withLock {
        if !election.isDeserted { loop?.waker.wake() }
        return election.isDeserted ? loop.take() : nil
      }
      deserted?.tearDown()
    }

    // MARK: With the lock held

    /// Queues a command and wakes a thread for it; `false` if the session is over.
    @discardableResult
    private func append(_ command: DriverCommand) -> Bool {
      guard loop != nil, !election.isOver else { return false }
      commands.append(command)
      wake()
      return true
    }

    /// The loop, when a caller's thread may drive it to start a request; `nil` when a thread of the session does that.
    ///
    /// The spared thread drives anyway when its completion returns.
    private func loopForCaller(_ task: CurlTask) -> CurlLoop? {
      if case .data(let body) = task.request.body, body.count > CurlBodySource.pieceSize { return nil }
      guard let loop, !isSpared, election.beginDrivingForCaller() else {
        return nil
      }
      guard loop.transfers.isEmpty, commands.isEmpty else {
        election.callerStopped()
        return nil
      }
      return loop
    }

    /// Whether the calling thread is the session's own, inside a completion.
    private var isSpared: Bool { spared.map { pthread_equal($0, pthread_self()) != 0 } ?? false }

    /// Wakes a thread of the session, unless a thread will see the commands anyway.
    private func wake() {
      guard let loop else { return }
      switch election.wakeUp(callerIsSpared: isSpared) {
      case .now: loop.waker.wake()
      case .soon: loop.waker.wakeSoon()
      case nil: break
      }
    }

    /// Makes the loop and a thread for it, or returns an error.
    private func prepare() -> TransportError? {
      guard !isClosed else { return .unsent(.invalidated, "the session has been invalidated") }
      guard loop == nil else { return nil }
      guard let waker = CurlWaker() else { return .unsent(.other, "no descriptor is left for the session") }
      guard let loop = makeLoop(self, waker) else {
        waker.close()
        return .unsent(.other, "libcurl rejected the session's callbacks, or is out of memory")
      }
      election.began()
      guard startThread(loop) else {
        loop.tearDown()
        return .unsent(.other, "no thread could be started")
      }
      self.loop = loop
      return nil
    }

    /// Starts a thread that `election` has already counted.
    private func startThread(_ loop: CurlLoop) -> Bool {
      let isStarted = CurlThread.start { [self] in serve(loop) }
      if !isStarted { election.failedToBegin() }
      return isStarted
    }
  }
#endif
