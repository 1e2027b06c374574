/// Authorizes requests in your own way: it makes header fields for the finished request.
///
/// ```swift
/// let signer = RequestSigner(named: "shop signature", needsToken: true) { request, token in
///   ["X-Signature": signature(of: request.method, request.url, key: token?.value)]
/// }
/// struct RequestDataForBalance: WebServiceRequestData {
///   let path = "balance"
///   let authorization = WebServiceAuthorizationType.custom(signer)
/// }
/// ```
///
/// Two signers with the same name are equal, so give each signer its own name. A cache stores no response to a signed
/// request, because a signature may differ each time.
///
/// The article <doc:SigningRequests> has samples.
public struct RequestSigner: Sendable, Hashable, DescriptionOnly {
  /// Makes the header fields.
  ///
  /// It runs on the thread that sends the request, or on a thread of the token manager. For a redirect or another
  /// attempt it runs on a queue of the library. It never runs on the transport's thread. It runs again whenever the
  /// request changes (a redirect, another token). An error that it throws ends the request: an error of kind `.token`
  /// has it underneath.
  ///
  /// The request has no credentials. `Host` and `Content-Length` are among its header fields only if the app names
  /// them: a transport adds them when it sends. The cookies of a jar and the range of a download that resumes are added
  /// later too.
  public typealias Signing = @Sendable (_ request: TransportRequest, _ token: AccessToken?) throws -> HTTPHeaders
  /// Reads the challenges of a response with the status 401. If it returns `true`, the request is signed and sent
  /// again, at most once for each redirect and each retry, and only if its body can be sent again. Otherwise the 401 is
  /// the response. It runs on a queue of the library, and gets the request as it was sent.
  public typealias ChallengeReading = @Sendable (_ response: WebServiceResponse, _ request: TransportRequest) -> Bool

  /// The name of the signer, which tells it from others.
  public let name: String
  /// Whether the token manager provides a token, which ``sign(_:token:)`` receives.
  public let needsToken: Bool
  private let signing: Signing
  /// Reads the challenges of a 401; `nil` if they can't lead to other credentials.
  let onChallenge: ChallengeReading?

  /// Creates a signer.
  ///
  /// - Parameters:
  ///   - name: tells the signer from others. It appears in descriptions.
  ///   - needsToken: whether ``sign(_:token:)`` needs a token of the token manager.
  ///   - signing: makes the header fields. All of them count as credentials: descriptions hide their values, and a
  ///     redirect to another origin doesn't get them.
  ///   - onChallenge: reads the challenges of a 401. Without it, and when a token was refused, only another token leads
  ///     to another signature.
  public init(named name: String, needsToken: Bool, signing: @escaping Signing, onChallenge: ChallengeReading? = nil) {
    self.name = name
    self.needsToken = needsToken
    self.signing = signing
    self.onChallenge = onChallenge
  }

  /// Makes the header fields that authorize the request. Each replaces the request's own field of its name.
  ///
  /// - Parameters:
  ///   - request: the finished request, without credentials.
  ///   - token: the token of the token manager; `nil` unless ``needsToken`` is `true`.
  /// - Throws: the error of the closure that signs.
  public func sign(_ request: TransportRequest, token: AccessToken?) throws -> HTTPHeaders {
    try signing(request, token)
  }

  /// Whether both have the same name and the same need of a token.
  public static func == (left: RequestSigner, right: RequestSigner) -> Bool {
    left.name == right.name && left.needsToken == right.needsToken
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The name.
  public var description: String { "RequestSigner(\(name))" }
}
