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
  /// another thread: hiding secrets in long texts takes time. The events of one request come in order; events of
  /// several requests may come at the same time.
  func record(_ event: RequestEvent)
}
