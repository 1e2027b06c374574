/// Renews a token: a POST that carries the old token in the header `api-token`, answered with an `AuthenticationInfo`.
public struct RequestDataForRenewToken: WebServiceRequestData {
  /// The token that is about to expire.
  public let apiToken: String
  /// Where to; `renew` below the base URL unless it is given.
  public let path: String

  /// Creates the request.
  public init(apiToken: String, path: String = "renew") {
    self.apiToken = apiToken
    self.path = path
  }

  /// `.post`
  public var method: HTTPMethod { .post }
  /// The token that is to be renewed.
  public var headers: HTTPHeaders { ["api-token": apiToken] }
}

extension RequestDataForRenewToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The path, without the token.
  public var description: String { "RequestDataForRenewToken(path: \(path))" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// The path, without the token.
  public var customMirror: Mirror { Mirror(self, children: ["path": path]) }
}
