/// One step of a request. The first sends the request as it was described, and each redirect leads to the next. A retry
/// repeats only the step that failed: the steps before it have their responses.
struct RequestStep: Sendable {
  /// The choice of a connection, after a kept one turned out to be closed.
  enum Connection: Sendable {
    case any
    /// The next transfer uses a connection that was never used.
    case newForNextTransfer
    /// A transfer has used such a connection: it is granted once a step.
    case newWasUsed
  }

  /// The request without the credentials that the authorize station attaches.
  let request: TransportRequest
  /// Whether credentials are attached. No step gets them after a redirect to another origin.
  let isAuthorized: Bool
  /// Whether there was no network when the step was admitted.
  var isOffline = false
  var connection = Connection.any

  /// Creates the first step.
  init(described request: TransportRequest) {
    self.request = request
    isAuthorized = true
  }

  /// Creates the step that a redirect leads to.
  ///
  /// - Parameters:
  ///   - next: the request of the redirect, with the header fields that it may keep.
  ///   - former: the step whose response is the redirect.
  ///   - credentialNames: the header fields of the credentials.
  init(_ next: TransportRequest, after former: RequestStep, credentialNames: [String]) {
    isAuthorized = former.isAuthorized && former.request.target?.origin.text == next.target?.origin.text
    isOffline = former.isOffline
    var plain = next
    if isAuthorized { credentialNames.forEach { plain.headers.remove($0) } }
    request = plain
  }
}

/// One transfer of a request: what is sent, and how far the response has come.
struct RequestTransfer: Sendable {
  enum Progress: Sendable {
    /// The engine's timer counts until the response is complete.
    case waiting
    /// Bytes are flowing. The transport limits the time between two of them.
    case flowing
    /// Bytes are flowing, and the reader has some of them: the request can't be sent again.
    case streaming
  }

  /// Counts the transfers of the request from 1.
  let number: Int
  let attempt: Int
  /// The request with its credentials.
  let request: TransportRequest
  let step: RequestStep
  /// The request as it was described, if a redirect has led elsewhere.
  let described: TransportRequest?
  let needsNewConnection: Bool
  /// Whether a redirect led to the transfer, which has the time that is left of the attempt.
  let isFollowing: Bool
  var progress = Progress.waiting
  /// Whether the attempt's time ran out while the response was judged. A redirect has no time left then.
  var hasTimedOut = false
}

/// A request with its credentials.
struct AuthorizedRequest: Sendable {
  let request: TransportRequest
  /// `nil` if none were attached now: the request has those of the step before, or none.
  var credentials: Credentials?
}

/// The credentials that the authorize station attaches. A class, so that events with it stay small.
final class Credentials: Sendable {
  /// The names of the header fields. Another origin is shown none of them.
  let names: [String]
  /// All secrets that were attached to the request so far. Every description hides them.
  let secrets: [String]
  /// The token manager's token, if one was needed.
  let token: AccessToken?

  init(names: [String], secrets: [String], token: AccessToken?) {
    self.names = names
    self.secrets = secrets
    self.token = token
  }

  /// Whether the request still carries them.
  func areIn(_ request: TransportRequest) -> Bool {
    names.contains { name in request.headers[name].map { secrets.contains($0) } ?? false }
  }
}
