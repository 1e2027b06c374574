/// A way to authorize requests that is an app's own: it sees the finished request and answers with header fields.
///
/// ```swift
/// let signer = RequestSigner(named: "digest", needsToken: true) { request, token in
///   ["X-Signature": signature(of: request.method, request.url, key: token?.value)]
/// }
/// struct RequestDataForBalance: WebServiceRequestData {
///   let path = "balance"
///   let authorization = WebServiceAuthorizationType.custom(signer)
/// }
/// ```
///
/// Two signers of one name are the same signer: give each its own.
public struct RequestSigner: Sendable {
  /// Makes the header fields.
  ///
  /// It runs on the thread that sends the request, on one that a token manager answers on or, for a redirect or another
  /// attempt, on a queue of the library's; never on the transport's thread. It runs again whenever the request changes (a
  /// redirect, another token). What it throws ends the request with an error of kind `.token` that has the thrown error
  /// underneath.
  public typealias Signing = @Sendable (_ request: RequestToSign, _ token: AccessToken?) throws -> HTTPHeaders

  /// What the signer is called and told from others by.
  public let name: String
  /// Whether the token manager is asked for a token first, which `sign` is then given.
  public let needsToken: Bool
  private let signing: Signing

  /// Creates a signer.
  ///
  /// - Parameters:
  ///   - name: what it is called and told from others by. It appears in descriptions.
  ///   - needsToken: whether the token manager is asked for a token first.
  ///   - signing: makes the header fields. All of them count as credentials: their values are hidden in descriptions,
  ///     and they don't follow a redirect to another origin.
  public init(named name: String, needsToken: Bool, signing: @escaping Signing) {
    self.name = name
    self.needsToken = needsToken
    self.signing = signing
  }

  /// The header fields that authorize the request; each replaces the request's own of its name.
  public func sign(_ request: RequestToSign, token: AccessToken?) throws -> HTTPHeaders {
    try signing(request, token)
  }
}

extension RequestSigner: Hashable {
  /// Whether both have the same name and the same need of a token.
  public static func == (left: RequestSigner, right: RequestSigner) -> Bool {
    left.name == right.name && left.needsToken == right.needsToken
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
  }
}

extension RequestSigner: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The name.
  public var description: String { "RequestSigner(\(name))" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// The name.
  public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
