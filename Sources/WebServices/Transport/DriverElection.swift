#if os(Linux)
  /// Decides which thread drives libcurl. `CurlDriver` explains why, and calls each method with its lock held.
  ///
  /// Each thread of a session sleeps, drives, or is spared. At most one drives. A spared thread has stopped driving, and
  /// runs an app's completion. A thread is spared only if another one sleeps, which can take its place. A thread changes
  /// its state as follows:
  ///
  /// | from | method | to |
  /// |---|---|---|
  /// | new | `began()` | sleeps |
  /// | sleeps | `threadWoke()` | drives; sleeps again if another thread drives; ends if the session is over |
  /// | drives | `threadStoppedDriving(…)` | drives on for more commands; sleeps; is spared; ends with the session |
  /// | spared | `threadReturned(…)` | drives for new commands; sleeps; ends if the session is over |
  ///
  /// A caller's thread drives between `beginDrivingForCaller()` and `callerStopped()`, and has no other state.
  struct DriverElection {
    /// The next step of a thread that was woken, or whose completion has returned.
    enum NextStep {
      case drive
      case sleep
      /// The thread ends, and calls `CurlDriver.threadEnds()`.
      case leave
      /// The thread ends and touches nothing: everything may have been freed.
      case vanish
    }

    /// The next step of a thread that has driven.
    enum StepAfterDriving: Equatable {
      /// The thread drives on, because commands arrived.
      case lookAgain
      case sleep
      /// The thread runs a completion. If `startingAnother`, another thread is started, which sleeps in its place.
      case spare(startingAnother: Bool)
      case leave
    }

    /// How to wake a thread for a command.
    enum WakeUp {
      case now
      /// A timer wakes the thread: the command came from the spared thread, which usually returns before the timer fires.
      case soon
    }

    /// The most threads of a session.
    static let limit = 2

    private(set) var isOver = false
    private var threads = 0
    private var sleepers = 0
    /// Whether a thread of the session or of a caller drives.
    private var isDriven = false
    /// Whether a sleeping thread was woken and hasn't run yet. It will see all commands.
    private var isWakePending = false
    /// Whether a timer was set to call a sleeping thread, until the spared thread is back.
    private(set) var isWakeScheduled = false

    /// A thread begins and sleeps.
    mutating func began() {
      threads += 1
      sleepers += 1
    }

    /// Takes `began()` back: the thread could not be started.
    mutating func failedToBegin() {
      threads -= 1
      sleepers -= 1
    }

    /// How to wake a thread for a command; `nil` if a thread will see the command anyway.
    mutating func wakeUp(callerIsSpared: Bool) -> WakeUp? {
      guard !isDriven, !isWakePending, !isOver else { return nil }
      guard callerIsSpared else {
        isWakePending = true
        return .now
      }
      defer { isWakeScheduled = true }
      return isWakeScheduled ? nil : .soon
    }

    /// Lets a caller's thread drive until `callerStopped()`; `false` if another thread drives or the session is over.
    mutating func beginDrivingForCaller() -> Bool {
      guard !isDriven, !isOver else { return false }
      isDriven = true
      return true
    }

    /// The caller's thread has stopped driving.
    mutating func callerStopped() {
      isDriven = false
    }

    /// A sleeping thread was woken, by a call or by a descriptor.
    mutating func threadWoke() -> NextStep {
      sleepers -= 1
      isWakePending = false
      isWakeScheduled = false
      if isOver { return .leave }
      return start(unless: isDriven)
    }

    /// A thread has driven.
    ///
    /// - Parameters:
    ///   - hasMore: whether commands arrived meanwhile.
    ///   - isFinished: whether the session is over and no transfer is left.
    ///   - hasCompletion: whether a completion is to run inline.
    mutating func threadStoppedDriving(hasMore: Bool, isFinished: Bool, hasCompletion: Bool) -> StepAfterDriving {
      // Checked under the lock, so that no command is lost between the check and the sleep.
      if hasMore { return .lookAgain }
      isDriven = false
      if isFinished {
        isOver = true
        return .leave
      }
      if hasCompletion, sleepers > 0 { return .spare(startingAnother: false) }
      if hasCompletion, threads < Self.limit {
        began()
        return .spare(startingAnother: true)
      }
      sleepers += 1
      return .sleep
    }

    /// The completion of the spared thread has returned.
    mutating func threadReturned(hasMore: Bool) -> NextStep {
      isWakeScheduled = false
      if isOver { return .vanish }
      return start(unless: isDriven || !hasMore)
    }

    /// Makes the thread drive, or sleep if driving is needless.
    private mutating func start(unless isNeedless: Bool) -> NextStep {
      if isNeedless {
        sleepers += 1
        return .sleep
      }
      isDriven = true
      return .drive
    }

    /// Whether every thread has left that could touch the session's memory. Until then each one that leaves wakes the
    /// next.
    var isDeserted: Bool { isOver && sleepers == 0 }
  }
#endif
