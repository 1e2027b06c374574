/// All monitors of a service. What none of them wants isn't built, counted or told.
struct Monitors: Sendable {
  private let monitors: [(monitor: any RequestMonitor, wanted: RequestEvent.Stages)]
  /// What any of them wants.
  private let wanted: RequestEvent.Stages

  private static let lastID = Locked<UInt64>(0)

  init(_ monitors: [any RequestMonitor] = []) {
    self.monitors = monitors.map { ($0, $0.wantedEvents) }.filter { !$0.wanted.isEmpty }
    wanted = self.monitors.reduce([]) { $0.union($1.wanted) }
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

  /// Whether any of them wants events of the stage.
  func want(_ stage: RequestEvent.Stages) -> Bool { wanted.contains(stage) }

  /// Tells those who want it. The caller holds no lock: a monitor is code of somebody else's.
  func tell(_ event: RequestEvent, stage: RequestEvent.Stages) {
    for (monitor, wanted) in monitors where wanted.contains(stage) { monitor.record(event) }
  }
}
