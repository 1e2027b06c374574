/// One request in a chain of redirects: the described request, or a request that a redirect led to. A retry repeats
/// only the step that failed, because the earlier steps have their responses.
///
/// A class, so that states, events and actions copy one reference.
final class RequestStep: Sendable {
  /// The request. It may carry credentials, which those of the next attempt replace.
  let request: TransportRequest
  /// The authorization of the step: `.none` after a redirect to another origin.
  let authorization: WebServiceAuthorizationType

  /// Creates the first step, or the same step with other header fields.
  init(described request: TransportRequest, authorization: WebServiceAuthorizationType) {
    self.request = request
    self.authorization = authorization
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
