/// All monitors of a service. What none of them wants isn't built, counted or told.
struct Monitors: Sendable {
  private let monitors: [(monitor: any RequestMonitor, wanted: RequestEvent.Stages)]
  /// What any of them wants, and the end, which is the last event of every request.
  private let wanted: RequestEvent.Stages

  private static let lastID = Locked<UInt64>(0)

  init(_ monitors: [any RequestMonitor] = []) {
    self.monitors = monitors.map { ($0, $0.wantedEvents) }.filter { !$0.wanted.isEmpty }
    wanted = self.monitors.reduce(.delivered) { $0.union($1.wanted) }
  }

  var isEmpty: Bool { monitors.isEmpty }

  /// The next request's number; 0 where nobody would see it.
  func makeRequestID() -> UInt64 {
    guard !monitors.isEmpty else { return 0 }
    return Self.lastID.withLock { lastID in
      lastID &+= 1
      return lastID
    }
  }

  /// Whether events of the stage have to be taken.
  func want(_ stage: RequestEvent.Stages) -> Bool { !isEmpty && wanted.contains(stage) }

  /// Tells those who want it. The caller holds no lock: a monitor is code of somebody else's.
  func tell(_ event: RequestEvent) {
    let stage = event.kind.stage
    for (monitor, wanted) in monitors where wanted.contains(stage) { monitor.record(event) }
  }
}
