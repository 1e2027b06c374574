/// Receives the events of a service's requests.
///
/// ```swift
/// struct Printer: RequestMonitor {
///   func record(_ event: RequestEvent) { print(event) }
/// }
/// ```
///
/// The article <doc:SeeingWhatHappens> has samples.
public protocol RequestMonitor: Sendable {
  /// Receives an event at the moment it happens.
  ///
  /// The call comes on the request's current thread, which may be the transport's, and the request waits for the call.
  /// Return at once. Don't block, and don't call anything of the service that may wait. To print an event, pass it to
  /// another thread: hiding secrets in long texts takes time. The events of one request come in order; events of several
  /// requests may come at the same time.
  func record(_ event: RequestEvent)

  /// The events that the monitor receives; all by default. A service reads this once, when it is created. An event that
  /// no monitor wants costs nothing.
  var wantedEvents: RequestEvent.Stages { get }
}

extension RequestMonitor {
  /// All stages.
  public var wantedEvents: RequestEvent.Stages { .all }
}

/// Notifies all monitors of a service. Ask `want` before you make an event, so that an event that no monitor wants
/// isn't built.
struct Monitors: Sendable {
  private let monitors: [(monitor: any RequestMonitor, wanted: RequestEvent.Stages)]
  /// The stages that at least one monitor wants.
  private let wanted: RequestEvent.Stages

  /// Guards the number of the last request of this process.
  private static let lastID = Locked<UInt64>(0)

  init(_ monitors: [any RequestMonitor] = []) {
    self.monitors = monitors.map { ($0, $0.wantedEvents) }.filter { !$0.wanted.isEmpty }
    wanted = self.monitors.reduce([]) { $0.union($1.wanted) }
  }

  var isEmpty: Bool { monitors.isEmpty }

  /// The number of the next request; 0 if no monitor would see it.
  func makeRequestID() -> UInt64 {
    guard !monitors.isEmpty else { return 0 }
    return Self.lastID.withLock { lastID in
      lastID &+= 1
      return lastID
    }
  }

  /// Whether at least one monitor wants events of the stage.
  func want(_ stage: RequestEvent.Stages) -> Bool { wanted.contains(stage) }

  /// Notifies the monitors that want the event. The caller must hold no lock, because a monitor is foreign code.
  func notify(_ event: RequestEvent, stage: RequestEvent.Stages) {
    for (monitor, wanted) in monitors where wanted.contains(stage) { monitor.record(event) }
  }
}
