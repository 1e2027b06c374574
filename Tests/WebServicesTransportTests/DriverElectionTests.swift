@testable import WebServicesTestSupport
#if os(Linux)
  @testable import WebServicesTransport

  struct DriverElectionTests {
    @Test func threadThatFailsToStartIsNotCounted() {
      var election = DriverElection()
      election.began()
      expectEqual(election.threadWoke(), .drive)
      let rest = election.threadStoppedDriving(hasMore: false, isFinished: false, hasCompletion: true)
      expectEqual(rest, .spare(startingAnother: true))
      election.failedToBegin()
      expectEqual(election.threadReturned(hasMore: false), .sleep)
      expectEqual(election.threadWoke(), .drive)
      let next = election.threadStoppedDriving(hasMore: false, isFinished: false, hasCompletion: true)
      expectEqual(next, .spare(startingAnother: true))
    }

    /// A completion that blocks may send several requests, and each has to wake a thread.
    @Test func eachCommandOfBlockingCompletionSchedulesAWakeUp() {
      var election = DriverElection()
      election.began()
      expectEqual(election.threadWoke(), .drive)
      let rest = election.threadStoppedDriving(hasMore: false, isFinished: false, hasCompletion: true)
      expectEqual(rest, .spare(startingAnother: true))
      for _ in 0..<3 {
        expectEqual(election.wakeUp(callerIsSpared: true), .soon)
        expectEqual(election.wakeUp(callerIsSpared: true), nil)
        expectEqual(election.threadWoke(), .drive)
        let rest = election.threadStoppedDriving(hasMore: false, isFinished: false, hasCompletion: false)
        expectEqual(rest, .sleep)
      }
    }

    @Test(arguments: 0..<200)
    func allWorkIsDoneInAnyOrderOfSteps(_ seed: Int) {
      var model = ElectionModel(seed: UInt64(seed))
      for _ in 0..<300 { model.step() }
      model.finish()
      #expect(model.pending == 0, "seed \(seed)")
      expectEqual(model.mostDriving, 1)
      model.close()
      #expect(model.isDeserted, "seed \(seed)")
    }
  }

  /// Simulates threads that follow `DriverElection`, one step of one thread at a time in random order.
  private struct ElectionModel {
    private enum Thread {
      case sleeping, driving, spared, gone
    }

    private var election = DriverElection()
    private var threads: [Thread] = [.sleeping]
    private var random: SeededGenerator
    private(set) var pending = 0
    private var isSignalled = false
    private var isReminderSet = false
    private var isSocketReady = false
    private var isClosed = false
    private var isCallerDriving = false
    private(set) var mostDriving = 0

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed)
      election.began()
    }

    var isDeserted: Bool { election.isDeserted && !threads.contains(.sleeping) && !threads.contains(.driving) }

    mutating func step() {
      switch Int.random(in: 0..<8, using: &random) {
      case 6: if !isCallerDriving { isCallerDriving = election.beginDrivingForCaller() }
      case 7: stopCaller()
      case 0: post(isSpared: false)
      case 1: if threads.contains(.spared) { post(isSpared: true) }
      case 2: isSocketReady = true
      case 3: fireReminder()
      default:
        let index = Int.random(in: threads.indices, using: &random)
        move(index)
      }
    }

    /// Finishes all work without the spare thread.
    mutating func finish() {
      stopCaller()
      for _ in 0..<20 {
        fireReminder()
        for index in threads.indices where threads[index] != .spared { move(index) }
      }
    }

    mutating func close() {
      isClosed = true
      if election.wakeUp(callerIsSpared: false) != nil { isSignalled = true }
      finish()
    }

    /// The caller stops: it has done all earlier work and leaves later work to others.
    private mutating func stopCaller() {
      guard isCallerDriving else { return }
      isCallerDriving = false
      pending = Int.random(in: 0...pending, using: &random)
      election.callerStopped()
      if pending > 0, election.wakeUp(callerIsSpared: false) != nil { isSignalled = true }
    }

    private mutating func post(isSpared: Bool) {
      pending += 1
      switch election.wakeUp(callerIsSpared: isSpared) {
      case .now: isSignalled = true
      case .soon: isReminderSet = true
      case nil: break
      }
    }

    private mutating func fireReminder() {
      guard isReminderSet else { return }
      isReminderSet = false
      isSignalled = true
    }

    private mutating func move(_ index: Int) {
      switch threads[index] {
      case .sleeping: wake(index)
      case .driving: drive(index)
      case .spared:
        if election.isWakeScheduled { isReminderSet = false }
        start(index, election.threadReturned(hasMore: pending > 0))
      case .gone: break
      }
      mostDriving = max(mostDriving, threads.filter { $0 == .driving }.count + (isCallerDriving ? 1 : 0))
    }

    private mutating func wake(_ index: Int) {
      guard isSignalled || isSocketReady else { return }
      let brings = isSocketReady
      isSignalled = false
      isSocketReady = false
      let next = election.threadWoke()
      if next == .sleep, brings { pending += 1 }
      start(index, next)
    }

    private mutating func start(_ index: Int, _ next: DriverElection.NextStep) {
      switch next {
      case .drive: threads[index] = .driving
      case .sleep: threads[index] = .sleeping
      case .leave, .vanish:
        threads[index] = .gone
        if threads.contains(.sleeping) { isSignalled = true }
      }
    }

    private mutating func drive(_ index: Int) {
      // Another thread may post between the two calls.
      if pending > 0, Bool.random(using: &random) {
        pending = 0
        return
      }
      let rest = election.threadStoppedDriving(
        hasMore: pending > 0, isFinished: isClosed && pending == 0,
        hasCompletion: Bool.random(using: &random))
      switch rest {
      case .lookAgain: pending = 0
      case .sleep: threads[index] = .sleeping
      case .spare(let startsAnother):
        threads[index] = .spared
        if startsAnother { threads.append(.sleeping) }
      case .leave: start(index, .leave)
      }
    }
  }
#endif
