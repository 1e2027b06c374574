import Foundation

/// What a request has come to, kept behind the lock of its `RequestRun`.
struct RequestRunState: Sendable {
  var machine = RequestStateMachine()
  var request: TransportRequest?
  /// What the authorize station attached: hidden in every description, and shown to no other origin.
  var credentials: [String] = []
  var credentialName: String?
  var redirects = RedirectPolicy.follow
  /// What was asked so far, redirects included.
  var steps: [Redirect.Step] = []
  var transportTask: (any URLSessionTaskProtocol)?
  var timer: (any WebServiceTimer)?
  var delivery: RequestRun.Delivery?
  /// Whether `start()` hasn't returned yet, and what came of the request meanwhile.
  var isStarting = true
  var earlyOutcome: Result<WebServiceResponse, WebServiceError>?
}

extension RequestRunState {
  func redirect(_ configuration: WebServiceConfiguration) -> Redirect {
    Redirect(
      policy: redirects, credentialNames: Array(credentialName), redaction: configuration.redaction)
  }

  /// Takes the request that a redirect leads to, unless the run has gone on since.
  mutating func follow(_ next: TransportRequest, after exchange: Int) {
    guard machine.state == .sending, machine.exchange == exchange else { return }
    request = next
    transportTask = nil
  }
}

extension Array {
  fileprivate init(_ element: Element?) {
    self = element.map { [$0] } ?? []
  }
}
