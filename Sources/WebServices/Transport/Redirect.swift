import Foundation

/// Decides what follows from an answer that points elsewhere, by the rules of the Fetch standard ("HTTP-redirect
/// fetch") and RFC 9110, section 15.4. Pure: the same for every transport.
struct Redirect {
  let policy: RedirectPolicy
  /// Header fields that another origin must not see, besides those that `redaction` names: the credentials' own.
  let credentialNames: [String]
  let redaction: Redaction

  /// The statuses that, with a `Location`, lead to another request.
  static let statusCodes: Set<Int> = [301, 302, 303, 307, 308]

  enum Decision {
    /// The answer stands.
    case none
    case follow(TransportRequest)
    case refuse(RedirectError)
  }

  /// What one request asks for, to see whether it was asked before.
  struct Step: Hashable, Sendable {
    let method: HTTPMethod
    let url: URL

    init(_ request: TransportRequest) {
      method = request.method
      url = request.url
    }
  }

  /// - Parameter steps: what was asked so far, the request itself last.
  func decision(
    on response: WebServiceResponse, to request: TransportRequest, after steps: [Step]
  ) -> Decision {
    guard policy.isFollowing, Self.statusCodes.contains(response.statusCode),
      let location = response.headers["Location"]
    else { return .none }
    func refuse(_ reason: RedirectError.Reason) -> Decision {
      .refuse(RedirectError(reason: reason, chain: steps.map(\.url), redaction: redaction))
    }
    guard steps.count <= policy.limit else { return refuse(.tooMany) }
    guard let url = RedirectLocation.resolve(location, against: request.url) else { return refuse(.invalidLocation) }
    guard policy.allowsDowngrade || request.url.scheme != "https" || url.scheme == "https" else {
      return refuse(.downgrade)
    }
    var next = request
    next.url = url
    // A redirect without a fragment keeps the one before (RFC 9110, section 10.2.2).
    next.fragment = RedirectLocation.fragment(of: location) ?? request.fragment
    changeMethod(of: &next, status: response.statusCode)
    guard next.body.isReplayable else { return refuse(.bodyNotReplayable) }
    guard !steps.contains(Step(next)) else { return refuse(.loop) }
    if !Self.haveSameOrigin(request.url, url) {
      let search = BodySearch(next, redaction: redaction)
      guard !search.holdsSecret else { return refuse(.secretInBody) }
      guard search.isComplete else { return refuse(.unsearchableBody) }
      dropSecrets(of: &next)
    }
    return .follow(next)
  }

  /// 303 asks with GET; so do 301 and 302 after a POST, which is what every browser does.
  private func changeMethod(of request: inout TransportRequest, status: Int) {
    let becomesGet =
      switch status {
      case 301, 302: request.method == .post
      case 303: request.method != .get && request.method != .head
      default: false
      }
    guard becomesGet else { return }
    request.method = .get
    request.body = .none
    for name in ["Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location"] {
      request.headers.remove(name)
    }
  }

  private func dropSecrets(of request: inout TransportRequest) {
    let secret = request.headers.map(\.name).filter { name in
      redaction.hides(header: name) || name.equalsIgnoringASCIICase("Host")
        || credentialNames.contains { $0.equalsIgnoringASCIICase(name) }
    }
    secret.forEach { request.headers.remove($0) }
  }

  /// Scheme, host and port (RFC 6454, section 4).
  static func haveSameOrigin(_ left: URL, _ right: URL) -> Bool {
    func origin(_ url: URL) -> [String] {
      let scheme = url.scheme?.lowercased() ?? ""
      return [scheme, url.host?.lowercased() ?? "", "\(url.port ?? (scheme == "https" ? 443 : 80))"]
    }
    return origin(left) == origin(right)
  }
}
