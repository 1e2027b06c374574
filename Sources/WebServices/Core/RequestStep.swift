/// One request in a chain of redirects: the described request, or a request that a redirect led to. A retry repeats
/// only the step that failed, because the earlier steps have their responses.
///
/// A class, so that states, events and actions copy one reference.
final class RequestStep: Sendable {
  /// The request. It may carry credentials, which those of the next attempt replace.
  let request: TransportRequest
  /// The authorization of the step: `.none` after a redirect to another origin.
  let authorization: WebServiceAuthorizationType

  init(_ request: TransportRequest, authorization: WebServiceAuthorizationType) {
    self.request = request
    self.authorization = authorization
  }
}
