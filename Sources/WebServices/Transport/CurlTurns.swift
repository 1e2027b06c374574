#if os(Linux)
  /// Whose turn it is to drive libcurl: that of one thread at a time, and never of none where something is to do.
  ///
  /// Each thread of a session's sleeps, drives, or is spared for a caller's completion. One is spared only where another
  /// sleeps, which then takes its place: what a completion does, or waits for, holds nothing up. A caller's thread may
  /// drive for a moment, too, to start a request.
  struct CurlTurns {
    /// What a thread does that was woken, or is back.
    enum Start {
      case drive
      case sleep
      /// It ends, and tells so.
      case leave
      /// It ends; everything may have been let go of.
      case vanish
    }

    /// What a thread does that has driven.
    enum Rest: Equatable {
      case lookAgain
      case sleep
      /// It is free for other work; a thread may have to be started that sleeps in its place.
      case spare(startingAnother: Bool)
      case leave
    }

    /// How to come by a thread that drives.
    enum Call {
      case now
      /// The thread that asks is spared, and most likely back in a moment.
      case soon
    }

    /// How many threads a session has at most.
    static let limit = 2

    private(set) var isOver = false
    private var threads = 0
    private var sleepers = 0
    private var isDriven = false
    /// A sleeper was called, and will see all there is to do.
    private var isCalled = false
    /// The same, for later; until the spared thread is back.
    private(set) var isExpected = false

    /// A thread begins, asleep.
    mutating func began() {
      threads += 1
      sleepers += 1
    }

    /// A thread that had begun could not be started.
    mutating func failedToBegin() {
      threads -= 1
      sleepers -= 1
    }

    /// Something is to do: how to call a thread for it; `nil` where one will see it anyway.
    mutating func call(isSpared: Bool) -> Call? {
      guard !isDriven, !isCalled, !isOver else { return nil }
      guard isSpared else {
        isCalled = true
        return .now
      }
      defer { isExpected = true }
      return isExpected ? nil : .soon
    }

    /// Whether a caller's thread may drive for a moment, until it says that it has stopped.
    mutating func takesCaller() -> Bool {
      guard !isDriven, !isOver else { return false }
      isDriven = true
      return true
    }

    mutating func callerStopped() {
      isDriven = false
    }

    /// A sleeper was woken, by a call or by what it watches.
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
    ///   - hasMore: whether something came meanwhile.
    ///   - isFinished: whether nothing is left to do, and nothing can come.
    ///   - hasOtherWork: whether a caller's completion waits for a thread.
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

    /// A thread that was spared is back.
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

    /// Whether all have left who could still touch what the session holds. Until then each that leaves calls the next.
    var isDeserted: Bool { isOver && sleepers == 0 }
  }
#endif
