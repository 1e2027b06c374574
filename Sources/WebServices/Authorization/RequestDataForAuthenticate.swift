/// Signs in: a POST of `{"userId": …, "password": …}`, answered with an `AuthenticationInfo`.
public struct RequestDataForAuthenticate: WebServiceRequestData {
  /// Who signs in.
  public let userId: String
  /// The user's password.
  public let password: String
  /// Where to; `authenticate` below the base URL unless it is given.
  public let path: String

  /// Creates the request.
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

extension RequestDataForAuthenticate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The path, without user and password.
  public var description: String { "RequestDataForAuthenticate(path: \(path))" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// The path, without user and password.
  public var customMirror: Mirror { Mirror(self, children: ["path": path]) }
}
