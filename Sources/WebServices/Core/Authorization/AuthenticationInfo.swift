/// A token with its lifetime, as a service sends it after a sign-in or a renewal. After a sign-in, pass it to
/// ``BasicAuthManager/update(_:)-(AuthenticationInfo)``. A ``TokenSource`` gets the token to replace in this form too.
public struct AuthenticationInfo: Codable, Hashable, Sendable {
  /// The token that later requests carry.
  public var apiToken: String
  /// How long the token is valid, in seconds from now. 0 or less means expired after a sign-in, and an unknown lifetime
  /// after a renewal: a token that had expired would be renewed for each request.
  public var secondsRemaining: Int
  /// The token that the next renewal carries, if the service gives such tokens (RFC 6749, section 1.5).
  public var refreshToken: String?

  /// Creates an authentication info. Each parameter sets the property of the same name.
  public init(apiToken: String, secondsRemaining: Int, refreshToken: String? = nil) {
    self.apiToken = apiToken
    self.secondsRemaining = secondsRemaining
    self.refreshToken = refreshToken
  }
}

extension AuthenticationInfo: DescriptionOnly {
  /// How long the token is valid, without the tokens.
  public var description: String { "AuthenticationInfo(secondsRemaining: \(secondsRemaining))" }
}

/// Signs in: a POST of `{"userId": …, "password": …}`, whose response is an ``AuthenticationInfo``.
public struct RequestDataForAuthenticate: WebServiceRequestData {
  /// The user who signs in.
  public let userId: String
  /// The user's password.
  public let password: String
  /// The path; `authenticate` below the base URL unless it is given.
  public let path: String

  /// Creates the request. Each parameter sets the property of the same name.
  public init(userId: String, password: String, path: String = "authenticate") {
    self.userId = userId
    self.password = password
    self.path = path
  }

  /// `.post`
  public var method: HTTPMethod { .post }
  /// The user and the password as JSON.
  public var body: RequestBody? { ["userId": userId, "password": password] }
}

extension RequestDataForAuthenticate: DescriptionOnly {
  /// The path, without user and password.
  public var description: String { "RequestDataForAuthenticate(path: \(path))" }
}

/// Renews a token: a POST with the old token in the header `api-token`, whose response is an ``AuthenticationInfo``.
public struct RequestDataForRenewToken: WebServiceRequestData {
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
}

extension RequestDataForRenewToken: DescriptionOnly {
  /// The path, without the token.
  public var description: String { "RequestDataForRenewToken(path: \(path))" }
}
