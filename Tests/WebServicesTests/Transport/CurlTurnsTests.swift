#if os(Linux)
  import Testing
  @testable import WebServices

  struct CurlTurnsTests {
    @Test("a sleeper is called once, and not at all while one drives")
    func calls() {
      var turns = CurlTurns()
      turns.began()
      #expect(turns.call(isSpared: false) == .now)
      #expect(turns.call(isSpared: false) == nil)
      #expect(turns.woke() == .drive)
      #expect(turns.call(isSpared: false) == nil)
      #expect(turns.stopped(hasMore: true, isFinished: false, hasOtherWork: true) == .lookAgain)
      #expect(turns.stopped(hasMore: false, isFinished: false, hasOtherWork: false) == .sleep)
      #expect(turns.call(isSpared: false) == .now)
    }

    @Test("a thread is spared only where another sleeps, or can be started")
    func sparing() {
      var turns = CurlTurns()
      turns.began()
      #expect(turns.woke() == .drive)
      let first = turns.stopped(hasMore: false, isFinished: false, hasOtherWork: true)
      #expect(first == .spare(startingAnother: true))
      #expect(turns.woke() == .drive)
      #expect(turns.stopped(hasMore: false, isFinished: false, hasOtherWork: true) == .sleep)
      #expect(turns.returned(hasMore: false) == .sleep)
      #expect(turns.woke() == .drive)
      let second = turns.stopped(hasMore: false, isFinished: false, hasOtherWork: true)
      #expect(second == .spare(startingAnother: false))
    }

    @Test("what a spared thread leaves is its own when it is back, or another's soon")
    func reminders() {
      var turns = CurlTurns()
      turns.began()
      #expect(turns.woke() == .drive)
      _ = turns.stopped(hasMore: false, isFinished: false, hasOtherWork: true)
      #expect(turns.call(isSpared: true) == .soon)
      #expect(turns.call(isSpared: true) == nil)
      #expect(turns.isExpected)
      #expect(turns.returned(hasMore: true) == .drive)
      #expect(!turns.isExpected)
      _ = turns.stopped(hasMore: false, isFinished: false, hasOtherWork: true)
      #expect(turns.call(isSpared: true) == .soon)
      #expect(turns.call(isSpared: false) == .now)
      #expect(turns.woke() == .drive)
      #expect(turns.returned(hasMore: true) == .sleep)
    }

    @Test("the last to leave is told so, whoever is spared")
    func end() {
      var turns = CurlTurns()
      turns.began()
      #expect(turns.woke() == .drive)
      _ = turns.stopped(hasMore: false, isFinished: false, hasOtherWork: true)
      #expect(turns.woke() == .drive)
      #expect(turns.stopped(hasMore: false, isFinished: true, hasOtherWork: true) == .leave)
      #expect(turns.isDeserted)
      #expect(turns.call(isSpared: true) == nil)
      #expect(turns.returned(hasMore: false) == .vanish)
    }

    @Test("each that leaves leaves none asleep")
    func endWithSleeper() {
      var turns = CurlTurns()
      turns.began()
      turns.began()
      #expect(turns.woke() == .drive)
      #expect(turns.stopped(hasMore: false, isFinished: true, hasOtherWork: false) == .leave)
      #expect(!turns.isDeserted)
      #expect(turns.woke() == .leave)
      #expect(turns.isDeserted)
    }

    @Test("a caller's thread drives where nobody does")
    func callers() {
      var turns = CurlTurns()
      turns.began()
      #expect(turns.takesCaller() == true)
      #expect(turns.takesCaller() == false)
      #expect(turns.call(isSpared: false) == nil)
      #expect(turns.woke() == .sleep)
      turns.callerStopped()
      #expect(turns.call(isSpared: false) == .now)
      #expect(turns.woke() == .drive)
      #expect(turns.takesCaller() == false)
      #expect(turns.stopped(hasMore: false, isFinished: true, hasOtherWork: false) == .leave)
      #expect(turns.takesCaller() == false)
    }

    @Test("a thread that can't be started is none")
    func failure() {
      var turns = CurlTurns()
      turns.began()
      #expect(turns.woke() == .drive)
      let rest = turns.stopped(hasMore: false, isFinished: false, hasOtherWork: true)
      #expect(rest == .spare(startingAnother: true))
      turns.failedToBegin()
      #expect(turns.returned(hasMore: false) == .sleep)
      #expect(turns.woke() == .drive)
      let next = turns.stopped(hasMore: false, isFinished: false, hasOtherWork: true)
      #expect(next == .spare(startingAnother: true))
    }

    @Test("whatever the order, all there is gets done, also when a completion never ends", arguments: 0..<200)
    func model(_ seed: Int) {
      var model = TurnsModel(seed: UInt64(seed))
      for _ in 0..<300 { model.step() }
      model.finish()
      #expect(model.pending == 0, "seed \(seed)")
      #expect(model.mostDriving == 1)
      model.close()
      #expect(model.isDeserted, "seed \(seed)")
    }
  }

  /// Threads that do what `CurlTurns` says, one step of one of them at a time, in an order that is chance's.
  private struct TurnsModel {
    private enum Thread {
      case sleeping, driving, spared, gone
    }

    private var turns = CurlTurns()
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
      turns.began()
    }

    var isDeserted: Bool { turns.isDeserted && !threads.contains(.sleeping) && !threads.contains(.driving) }

    mutating func step() {
      switch Int.random(in: 0..<8, using: &random) {
      case 6: if !isCallerDriving { isCallerDriving = turns.takesCaller() }
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

    /// Lets everything come to rest without the thread that is spared.
    mutating func finish() {
      stopCaller()
      for _ in 0..<20 {
        fireReminder()
        for index in threads.indices where threads[index] != .spared { move(index) }
      }
    }

    mutating func close() {
      isClosed = true
      if turns.call(isSpared: false) != nil { isSignalled = true }
      finish()
    }

    /// It has done what there was, and leaves what came since.
    private mutating func stopCaller() {
      guard isCallerDriving else { return }
      isCallerDriving = false
      pending = Int.random(in: 0...pending, using: &random)
      turns.callerStopped()
      if pending > 0, turns.call(isSpared: false) != nil { isSignalled = true }
    }

    private mutating func post(isSpared: Bool) {
      pending += 1
      switch turns.call(isSpared: isSpared) {
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
        if turns.isExpected { isReminderSet = false }
        start(index, turns.returned(hasMore: pending > 0))
      case .gone: break
      }
      mostDriving = max(mostDriving, threads.filter { $0 == .driving }.count + (isCallerDriving ? 1 : 0))
    }

    private mutating func wake(_ index: Int) {
      guard isSignalled || isSocketReady else { return }
      let brings = isSocketReady
      isSignalled = false
      isSocketReady = false
      let next = turns.woke()
      if next == .sleep, brings { pending += 1 }
      start(index, next)
    }

    private mutating func start(_ index: Int, _ next: CurlTurns.Start) {
      switch next {
      case .drive: threads[index] = .driving
      case .sleep: threads[index] = .sleeping
      case .leave, .vanish:
        threads[index] = .gone
        if threads.contains(.sleeping) { isSignalled = true }
      }
    }

    private mutating func drive(_ index: Int) {
      // Another thread may post between the two.
      if pending > 0, Bool.random(using: &random) {
        pending = 0
        return
      }
      let rest = turns.stopped(
        hasMore: pending > 0, isFinished: isClosed && pending == 0,
        hasOtherWork: Bool.random(using: &random))
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
