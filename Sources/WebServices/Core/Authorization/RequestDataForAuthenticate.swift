/// Signs in: a POST of `{"userId": …, "password": …}`, whose response is an ``AuthenticationInfo``.
public struct RequestDataForAuthenticate: WebServiceRequestData, DescriptionOnly {
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

  /// The path, without user and password.
  public var description: String { "RequestDataForAuthenticate(path: \(path))" }
}
