#if os(Linux)
  /// Decides which thread drives libcurl. `CurlDriver` explains why and asks it, under its lock.
  ///
  /// Each thread of a session sleeps, drives, or is spared for a completion. At most one drives, and none is needed only
  /// while there is nothing to do. A thread is spared when another one sleeps, which can take its place.
  struct DriverElection {
    /// The next step of a thread that was woken, or whose completion has returned.
    enum Start {
      case drive
      case sleep
      /// The thread ends, and calls `left()`.
      case leave
      /// The thread ends and touches nothing: everything may have been freed.
      case vanish
    }

    /// The next step of a thread that has driven.
    enum Rest: Equatable {
      case lookAgain
      case sleep
      /// The thread runs a completion; a thread that sleeps in its place may have to be started.
      case spare(startingAnother: Bool)
      case leave
    }

    /// How to call a thread that drives.
    enum Call {
      case now
      /// A timer calls: the spared thread, which asks, is most likely back before.
      case soon
    }

    /// The most threads of a session.
    static let limit = 2

    private(set) var isOver = false
    private var threads = 0
    private var sleepers = 0
    private var isDriven = false
    /// Whether a sleeping thread was called, which will see everything there is to do.
    private var isCalled = false
    /// Whether a timer was set to call a sleeping thread, until the spared thread is back.
    private(set) var isExpected = false

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

    /// How to call a thread for a command; `nil` when a thread will see the command anyway.
    mutating func call(isSpared: Bool) -> Call? {
      guard !isDriven, !isCalled, !isOver else { return nil }
      guard isSpared else {
        isCalled = true
        return .now
      }
      defer { isExpected = true }
      return isExpected ? nil : .soon
    }

    /// Whether a caller's thread may drive, until it calls `callerStopped()`.
    mutating func takesCaller() -> Bool {
      guard !isDriven, !isOver else { return false }
      isDriven = true
      return true
    }

    mutating func callerStopped() {
      isDriven = false
    }

    /// A sleeping thread was woken, by a call or by a descriptor.
    mutating func woke() -> Start {
      sleepers -= 1
      isCalled = false
      isExpected = false
      if isOver { return .leave }
      return start(unless: isDriven)
    }

    /// A thread has driven.
    ///
    /// - Parameters:
    ///   - hasMore: whether commands came meanwhile.
    ///   - isFinished: whether the session is over and no transfer is left.
    ///   - hasOtherWork: whether a completion is to run inline.
    mutating func stopped(hasMore: Bool, isFinished: Bool, hasOtherWork: Bool) -> Rest {
      if hasMore { return .lookAgain }
      isDriven = false
      if isFinished {
        isOver = true
        return .leave
      }
      if hasOtherWork, sleepers > 0 { return .spare(startingAnother: false) }
      if hasOtherWork, threads < Self.limit {
        began()
        return .spare(startingAnother: true)
      }
      sleepers += 1
      return .sleep
    }

    /// The completion of the spared thread has returned.
    mutating func returned(hasMore: Bool) -> Start {
      isExpected = false
      if isOver { return .vanish }
      return start(unless: isDriven || !hasMore)
    }

    private mutating func start(unless isNeedless: Bool) -> Start {
      if isNeedless {
        sleepers += 1
        return .sleep
      }
      isDriven = true
      return .drive
    }

    /// Whether every thread has left that could touch the session's memory. Until then each one that leaves wakes the next.
    var isDeserted: Bool { isOver && sleepers == 0 }
  }
#endif
