/// One request in a chain of redirects: the described request, or a request that a redirect led to. A retry repeats
/// only the step that failed, because the earlier steps have their responses.
///
/// A class, so that states, events and actions copy one reference.
final class RequestStep: Sendable {
  /// The request without the credentials that the authorize station attaches.
  let request: TransportRequest
  /// The authorization of the step: `.none` after a redirect to another origin.
  let authorization: WebServiceAuthorizationType

  /// Creates the first step.
  init(described request: TransportRequest, authorization: WebServiceAuthorizationType) {
    self.request = request
    self.authorization = authorization
  }

  /// Creates a step with other header fields.
  init(_ former: RequestStep, with headers: HTTPHeaders) {
    var changed = former.request
    changed.headers = headers
    request = changed
    authorization = former.authorization
  }

  /// Creates the step that a redirect leads to.
  ///
  /// - Parameters:
  ///   - next: the request of the redirect, with the header fields that it may keep.
  ///   - former: the step whose response is the redirect.
  ///   - credentialNames: the header fields of the credentials.
  init(_ next: TransportRequest, after former: RequestStep, credentialNames: [String]) {
    // Credentials are meant for one origin: scheme, host and port.
    let isSameOrigin = former.request.target?.origin.text == next.target?.origin.text
    authorization = isSameOrigin ? former.authorization : .none
    var plain = next
    // The authorize station attaches the current credentials, which may have changed.
    if authorization != .none { credentialNames.forEach { plain.headers.remove($0) } }
    request = plain
  }
}

/// One transfer of a request: the session gets it once. A retry, a redirect or another token begins the next transfer.
/// A class, so that states, events and actions with it stay small.
final class RequestTransfer: Sendable {
  /// The choice between a reused and a new connection. A transfer on a reused connection that was closed is sent again
  /// on a new one.
  ///
  /// | choice | next choice |
  /// |---|---|
  /// | `any` | `new` after a transfer on a closed connection |
  /// | `new` | `newWasUsed` with the next transfer |
  /// | `newWasUsed` | `any` after a redirect |
  enum Connection: Sendable {
    case any
    /// A connection that was never used.
    case new
    /// An earlier transfer of the step has used a new connection: it is granted once a step.
    case newWasUsed
  }

  /// Counts the transfers of the request from 1.
  let number: Int
  let attempt: Int
  /// The request with its credentials.
  let request: TransportRequest
  let step: RequestStep
  /// The described request, if a redirect has led to another URL.
  let described: TransportRequest?
  let connection: Connection
  /// Whether a redirect led to the transfer, which has the time that is left of the attempt.
  let isFollowing: Bool
  /// Whether there was no network when the attempt was admitted.
  let isOffline: Bool

  init(
    number: Int, attempt: Int, request: TransportRequest, step: RequestStep, described: TransportRequest?,
    connection: Connection, isFollowing: Bool, isOffline: Bool
  ) {
    self.number = number
    self.attempt = attempt
    self.request = request
    self.step = step
    self.described = described
    self.connection = connection
    self.isFollowing = isFollowing
    self.isOffline = isOffline
  }
}

/// The credentials of a request, which the authorize station attaches. A class, so that events with it stay small.
package final class AttachedCredentials: SecretHolder {
  private let type: WebServiceAuthorizationType
  /// The request without the credentials.
  private let plain: TransportRequest
  /// The header fields. A request to another origin has none of these fields.
  let fields: [HTTPHeaders.Field]
  /// The token manager's token, if one was needed.
  let token: AccessToken?
  /// The credentials that were refused. Their secrets stay hidden: a server may repeat them in a later response.
  private let former: AttachedCredentials?

  /// Makes the credentials of a request.
  ///
  /// - Parameters:
  ///   - type: not `.none`.
  ///   - token: the token manager's; `nil` for a type that needs none.
  package init(
    _ type: WebServiceAuthorizationType, for request: TransportRequest, token: AccessToken?,
    after former: AttachedCredentials? = nil
  ) throws(RequestFailure) {
    do { fields = try type.credentials(for: request, token: token) } catch {
      throw RequestFailure(kind: .token, message: "the credentials are invalid or unsendable", underlying: error)
    }
    self.type = type
    self.token = token
    // Another attempt has the same credentials.
    self.former = former?.fields == fields ? former?.former : former
    plain = request
  }

  /// The request with the credentials.
  package var authorized: TransportRequest { plain.attaching(fields, secrets: self) }

  /// All secrets that were attached to the request so far. Every description hides them.
  package var secrets: [String] { (former?.secrets ?? []) + type.secrets(in: fields, of: plain) }

  /// The names of the header fields.
  var names: [String] { fields.map(\.name) }

  /// Whether the request still carries the credentials. A redirect to another origin has removed them.
  func areIn(_ request: TransportRequest) -> Bool {
    fields.contains { request.headers[$0.name] == $0.value }
  }
}
