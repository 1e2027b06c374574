/// Is told of all that happens to a service's requests.
///
/// ```swift
/// struct Printer: RequestMonitor {
///   func record(_ event: RequestEvent) { print(event) }
/// }
/// ```
public protocol RequestMonitor: Sendable {
  /// Takes an event, at the moment when it happens.
  ///
  /// It is called on whatever thread the request is on just then, the transport's included, and the request waits for
  /// it: return at once. Don't block, and call nothing of the service that may wait. Events of one request come in
  /// order, those of several at the same time.
  func record(_ event: RequestEvent)

  /// Which events it is told of; all, unless a monitor says otherwise. Asked once, when a service is made. What no monitor
  /// of a service wants costs its requests nothing.
  var wantedEvents: RequestEvent.Stages { get }
}

extension RequestMonitor {
  /// All.
  public var wantedEvents: RequestEvent.Stages { .all }
}
