/// All monitors of a service. Without one nothing is built, counted or called.
struct Monitors: Sendable {
  private let monitors: [any RequestMonitor]

  private static let lastID = Locked<UInt64>(0)

  init(_ monitors: [any RequestMonitor] = []) {
    self.monitors = monitors
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

  /// Tells every monitor. The caller holds no lock: a monitor is code of somebody else's.
  @inline(__always)
  func record(_ event: @autoclosure () -> RequestEvent) {
    guard !monitors.isEmpty else { return }
    tell(event())
  }

  @inline(never)
  private func tell(_ event: RequestEvent) {
    for monitor in monitors { monitor.record(event) }
  }
}
