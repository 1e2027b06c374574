import Foundation
import WebServicesHTTP

/// Runs the work of all queues, timers and tasks of a world in one thread, in an order that a seed chooses.
///
/// Work stops where it releases its last lock, and other work may run before it goes on, as if it were on another
/// thread. The stopped work goes on once the other work has ended or has been stopped too long: the stack of the thread
/// keeps it.
///
/// Unchecked, because only the simulated thread uses the object.
final class Scheduler: @unchecked Sendable {
  typealias Work = @Sendable () -> Void

  /// A queue, or one of the world's own places for work.
  private struct Lane {
    let label: String
    let isSerial: Bool
    /// Whether work of the lane was stopped.
    var isBusy = false
    /// The last search for work that has seen the lane.
    var search = 0
    /// How often its work has run.
    var runs = 0
  }

  private struct Event {
    let lane: Int
    let work: Work
  }

  private struct Timer {
    let number: Int
    let deadline: Double
    let lane: Int
    let work: Work
  }

  /// One piece of work that runs or was stopped.
  struct Frame: Equatable {
    var number = 0
    var label = ""
    /// When the work began, as a number of steps of the scheduler.
    var start = 0
  }

  /// How often work is stopped where it releases its last lock, from 0 to 1.
  var switchRate = 0.0
  /// How often time passes while work is stopped, from 0 to 1.
  var stallRate = 0.0
  /// Whether work of a lane that has rarely run goes first, about every other time. Such an order meets windows of one
  /// step, which are rare among equal choices.
  var prefersRare = false
  private(set) var chance: Chance
  private(set) var now = 1000.0
  private(set) var frame = Frame()
  /// How many pieces of work have begun.
  private(set) var stepCount = 0
  /// The first lane is the clock's. All due timers of the clock run one after another, as `SystemClock` runs them.
  private var lanes = [Lane(label: "clock", isSerial: true)]
  private static let clock = 0
  private var laneNumbers: [String: Int] = [:]
  private var ready: [Event] = []
  private var timers: [Timer] = []
  private var timerCount = 0
  private var searches = 0
  private var depth = 0

  /// The queues of the library that run several blocks at once. Every other queue is serial.
  private static let concurrent: Set = [
    "WebServices.UserCallbackQueue", "WebServices.Cache", "network", "tasks", "app",
  ]

  init(seed: UInt64) { chance = Chance(seed: seed) }

  // MARK: Work

  /// Takes work for a queue with this label.
  func add(_ label: String, _ work: @escaping Work) { ready.append(Event(lane: lane(label), work: work)) }

  /// Takes work for a moment.
  ///
  /// - Parameter label: the lane; `nil` for the clock.
  /// - Returns: the number for `cancel`.
  @discardableResult
  func add(_ label: String?, after delay: Double, _ work: @escaping Work) -> Int {
    timerCount += 1
    timers.append(
      Timer(number: timerCount, deadline: now + max(0, delay), lane: label.map(lane) ?? Self.clock, work: work))
    return timerCount
  }

  func cancel(timer number: Int) {
    guard let index = timers.firstIndex(where: { $0.number == number }) else { return }
    // Another thread may have begun to run a timer that is due.
    if switchRate > 0, timers[index].deadline <= now, chance.percent(50) { return }
    let timer = timers.remove(at: index)
    // Released after the change of `timers`: its objects may have a `deinit` that locks, and so runs other work.
    withExtendedLifetime(timer) {}
  }

  /// The seconds after which the clock's later timers are due.
  var clockTimers: [Double] { timers.filter { $0.lane == Self.clock && $0.deadline > now }.map { $0.deadline - now } }

  /// Whether there is work besides the clock's timers.
  var hasOtherWork: Bool { !ready.isEmpty || timers.contains { $0.lane != Self.clock } }

  private func lane(_ label: String) -> Int {
    if let number = laneNumbers[label] { return number }
    let isSerial = !Self.concurrent.contains(label) && !label.hasPrefix("com.apple.root")
    lanes.append(Lane(label: label, isSerial: isSerial))
    laneNumbers[label] = lanes.count - 1
    return lanes.count - 1
  }

  // MARK: Running

  func unit() -> Double { chance.unit() }

  /// Runs one piece of work.
  ///
  /// - Parameter advances: whether time may pass until something is due.
  /// - Returns: `false` if there is nothing to run.
  func runNext(advances: Bool = true) -> Bool {
    var choices = self.choices
    if choices.isEmpty {
      let isClockBusy = lanes[Self.clock].isBusy
      guard advances, let next = timers.lazy.filter({ $0.lane != Self.clock || !isClockBusy }).map(\.deadline).min()
      else { return false }
      now = max(now, next)
      choices = self.choices
    }
    guard !choices.isEmpty else { return false }
    if prefersRare, choices.count > 1, chance.percent(50) {
      let runs = choices.map { lanes[$0 < ready.count ? ready[$0].lane : timers[$0 - ready.count].lane].runs }
      let fewest = runs.min()
      choices = zip(choices, runs).filter { $0.1 == fewest }.map(\.0)
    }
    let choice = choices[chance.below(choices.count)]
    if choice < ready.count {
      let event = ready.remove(at: choice)
      run(lane: event.lane, event.work)
    } else if timers[choice - ready.count].lane != Self.clock {
      let timer = timers.remove(at: choice - ready.count)
      run(lane: timer.lane, timer.work)
    } else {
      let due = timers.filter { $0.lane == Self.clock && $0.deadline <= now }
      let rest = timers.filter { $0.lane != Self.clock || $0.deadline > now }
      timers = rest
      for timer in due.sorted(by: { ($0.deadline, $0.number) < ($1.deadline, $1.number) }) {
        run(lane: Self.clock, timer.work)
      }
    }
    return true
  }

  /// The places of the work that may run now: in `ready`, and behind them in `timers`.
  private var choices: [Int] {
    searches += 1
    var choices: [Int] = []
    for (index, event) in ready.enumerated() {
      let lane = lanes[event.lane]
      // A serial queue runs its work in order.
      guard !lane.isSerial || (!lane.isBusy && lane.search != searches) else { continue }
      lanes[event.lane].search = searches
      choices.append(index)
    }
    for (index, timer) in timers.enumerated() where timer.deadline <= now {
      let lane = lanes[timer.lane]
      guard !lane.isSerial || !lane.isBusy, timer.lane != Self.clock || lane.search != searches else { continue }
      lanes[timer.lane].search = searches
      choices.append(ready.count + index)
    }
    return choices
  }

  private func run(lane: Int, _ work: Work) {
    stepCount += 1
    lanes[lane].runs += 1
    let outer = frame
    frame = Frame(number: stepCount, label: lanes[lane].label, start: stepCount)
    let wasBusy = lanes[lane].isBusy
    lanes[lane].isBusy = true
    // Another thread isn't in the Swift task of the stopped work.
    work()
    lanes[lane].isBusy = wasBusy
    frame = outer
  }

  /// A place where the world's own parts release a lock, as the real ones do.
  func pass() {
    SimulatedThread.current?.willLock()
    SimulatedThread.current?.didUnlock()
  }

  /// Stops the work that runs, and may run other work.
  func yield() {
    guard depth < 4, switchRate > 0, chance.unit() < switchRate else { return }
    depth += 1
    defer { depth -= 1 }
    repeat {
      guard runNext(advances: stallRate > 0 && chance.unit() < stallRate) else { return }
    } while chance.unit() < 0.75
  }
}
