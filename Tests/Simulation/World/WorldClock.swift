import Foundation
import WebServicesCore

/// The clock of a world.
struct WorldClock: WebServiceClock {
  let scheduler: Scheduler

  var now: TimeInterval { scheduler.now }

  /// The time of day.
  var date: Date { Date(timeIntervalSince1970: 1_750_000_000 + scheduler.now) }

  func schedule(after delay: TimeInterval, _ action: @escaping @Sendable () -> Void) -> any WebServiceTimer {
    let timer = Timer(scheduler: scheduler, number: scheduler.add(nil, after: delay, action))
    // A clock has a lock of its own: another thread may come first.
    scheduler.pass()
    return timer
  }

  private struct Timer: WebServiceTimer {
    let scheduler: Scheduler
    let number: Int

    func cancel() {
      scheduler.cancel(timer: number)
      scheduler.pass()
    }
  }
}

/// Runs Swift tasks as work of a scheduler.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
final class WorldExecutor: TaskExecutor {
  private let scheduler: Scheduler

  init(_ scheduler: Scheduler) { self.scheduler = scheduler }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    scheduler.add("tasks") { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
