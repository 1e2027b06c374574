import Foundation

/// Decides whether and how a redirect is followed, by the rules of the Fetch standard ("HTTP-redirect fetch") and RFC
/// 9110, section 15.4. Call `next(of:to:after:)`, which sends nothing and is the same for every transport.
struct Redirect {
  let policy: RedirectPolicy
  /// Header fields that carry credentials even if `CredentialFields` knows them as harmless.
  let credentialNames: [String]
  let redaction: Redaction
  /// Whether the service keeps cookies. If so, a redirect to the same URL that sets a cookie isn't a loop.
  let keepsCookies: Bool

  /// Makes the next request of a redirect.
  ///
  /// - Parameter steps: the requests so far; the last one is `request`. A redirect to the method and the URL of one of
  ///   them is a loop.
  /// - Returns: `nil` if the response isn't a redirect, or the caller wants to see it.
  func next(
    of response: WebServiceResponse, to request: TransportRequest, after steps: [TransportRequest]
  ) throws(RedirectPolicy.Refusal) -> TransportRequest? {
    guard policy.isFollowing, let location = response.headers.redirectLocation(status: response.statusCode) else {
      return nil
    }
    func refusal(_ reason: RedirectPolicy.Refusal.Reason) -> RedirectPolicy.Refusal {
      RedirectPolicy.Refusal(reason: reason, chain: steps.compactMap { URL(string: $0.urlForm.normalizedText) })
    }
    // `steps` includes the first request, which wasn't a redirect.
    guard steps.count <= policy.limit else { throw refusal(.tooMany) }
    guard let former = request.target, let url = try? former.resolving(location) else {
      throw refusal(.invalidLocation)
    }
    guard !former.origin.isSecure || url.origin.isSecure else { throw refusal(.downgrade) }
    var next = request
    next.urlForm = .parsed(url)
    // A server may repeat the secrets of each request that led to it.
    next.formerRequests = SecretSource.all(of: request)
    // Before the checks, because a request that becomes a GET has no body to repeat.
    changeMethod(of: &next, status: response.statusCode)
    guard next.body.isReplayable else { throw refusal(.bodyNotReplayable) }
    let text = next.urlForm.normalizedText
    let isRepeated = steps.contains { $0.method == next.method && $0.urlForm.normalizedText == text }
    guard !isRepeated || (keepsCookies && response.headers["Set-Cookie"] != nil) else { throw refusal(.loop) }
    if !former.hasSameOrigin(as: url) {
      guard next.body.isEmpty || policy.sendsBodyToOtherOrigins else { throw refusal(.bodyToOtherOrigin) }
      next.headers = next.headers.withoutCredentials(redaction, or: credentialNames)
    }
    return next
  }

  /// Makes a GET without a body of the request after a 303, and after a 301 or 302 to a POST, as every browser does.
  private func changeMethod(of request: inout TransportRequest, status: Int) {
    guard status == 303 ? request.method != .head : status < 303 && request.method == .post else { return }
    request.method = .get
    request.body = .none
    // These fields describe the body that is dropped (RFC 9110, section 15.4), or are only sent with one.
    let names = request.headers.map(\.name).filter { $0.asciiLowercased.hasPrefix("content-") }
    request.headers.remove(names + ["Digest", "Expect", "Last-Modified", "Repr-Digest"])
  }
}
