/// Renews a token: a POST with the old token in the header `api-token`, whose response is an ``AuthenticationInfo``.
public struct RequestDataForRenewToken: WebServiceRequestData, DescriptionOnly {
  /// The token that is about to expire.
  public let apiToken: String
  /// The path; `renew` below the base URL unless it is given.
  public let path: String

  /// Creates the request. Each parameter sets the property of the same name.
  public init(apiToken: String, path: String = "renew") {
    self.apiToken = apiToken
    self.path = path
  }

  /// `.post`
  public var method: HTTPMethod { .post }
  /// The old token.
  public var headers: HTTPHeaders { ["api-token": apiToken] }

  /// The path, without the token.
  public var description: String { "RequestDataForRenewToken(path: \(path))" }
}
