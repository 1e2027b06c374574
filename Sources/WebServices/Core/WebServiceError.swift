import Foundation

/// Why a request has no model, with all that is needed to find out.
///
/// `friendlyDescription` is for people, `description` and `message` are for developers. They hold no secret: the
/// values that the configuration's `redaction` names, and the credentials that the engine sent, are hidden. The other
/// properties hide nothing.
public struct WebServiceError: Error, Sendable {
  /// The kind of a failure.
  public enum Kind: Hashable, Sendable {
    /// Something that should not happen: a session or a token manager that broke its contract.
    case unexpected
    /// The device has no network connection; nothing was sent.
    case noConnection
    /// The path and the base URL make no URL that can be asked.
    case badURL
    /// The method, a header, a timeout or the body can't be sent as described; nothing was sent.
    case invalidRequest
    /// There is no valid token and none could be had; the request wasn't sent.
    case token
    /// The response is no HTTP response.
    case notHTTPResponse
    /// A validator refused the answer, by default because its status is outside of 200...299. Where the validator had
    /// more to say, `underlying` is what it threw.
    case statusCode(Int)
    /// A file of the app's couldn't be read or written.
    case file
    /// A validator refused an answer with a status of 200...299; `underlying` is what it threw.
    case invalidResponse
    /// The answer came, but its body can't be decoded as the model.
    case undecodableBody
    /// A redirect wasn't followed: the underlying `RedirectError` says why, and where it came from.
    case redirect
    /// The host keeps failing and is left alone for a while: nothing was sent. `underlying` is a `CircuitOpenError`.
    case circuitOpen
    /// The session failed: no connection, a broken one, or a broken answer.
    case sessionFailure
    /// The request was cancelled, its service reset or invalidated.
    case cancelled
    /// A timeout or the deadline ran out; `underlying` is what went wrong before, where something did.
    case timedOut
  }

  /// The station that the request had come to.
  public enum Phase: String, Hashable, Sendable {
    /// The request was being built.
    case describe
    /// The network was being checked.
    case admit
    /// A token was being waited for.
    case authorize
    /// The answer was being waited for.
    case send
    /// The answer was being judged.
    case judge
    /// The body was being decoded.
    case read
    /// The result was on its way to the completion.
    case deliver
  }

  // Behind one reference, so that a result, which is passed from queue to queue, stays small.
  private let boxed: Boxed<Details>
  private var details: Details { boxed.value }

  /// The kind of the failure.
  public var kind: Kind { details.kind }
  /// The station that the request had come to.
  public var phase: Phase { details.phase }
  /// The request's method.
  public var method: HTTPMethod { details.method }
  /// The URL that was asked, or the path as it was given where no URL could be made of it.
  public var url: String { details.url }
  /// How often the library tried to send the request, redirects not counted: 0 where the request never came to that,
  /// because it waited for its turn, its host was left alone, or the cache had the response.
  public var attemptCount: Int { details.attemptCount }
  /// What is known of the cause beyond the kind, in words for developers, with secrets hidden.
  public var message: String { details.redaction.text(details.message) }
  /// The answer, where one came: its status, its headers, and its body up to the configuration's `errorBodyLimit`.
  public var response: WebServiceResponse? { details.response }
  /// The answer's status code, where one came.
  public var statusCode: Int? { details.response?.statusCode }
  /// The error below: a `TransportError`, a `RedirectError`, a `DecodingError`, an `EncodingError`, a
  /// `RequestBodyError`, the server's `ProblemDetails`, or what a validator or a token manager of the app's gave.
  public var underlying: (any Error)? { details.underlying }
  /// The error below, where it is of this type: how an app gets at the error that its own validator threw.
  public func underlying<Failure: Error>(as type: Failure.Type = Failure.self) -> Failure? {
    details.underlying as? Failure
  }
  /// Where in the body decoding failed, from the outside in (`["value", "[3]", "joke"]`); `nil` for other kinds.
  public var codingPath: [String]? { (details.underlying as? DecodingError).map(\.codingPathInWords) }

  /// The expected type, the value that was there, and the piece of JSON around it; `nil` for other kinds.
  public var decodingFailure: DecodingFailure? { details.decodingFailure }

  /// Creates an error. The library makes its own; this is for fakes and tests.
  public init(
    _ kind: Kind, phase: Phase = .send, method: HTTPMethod = .get, url: String = "", attemptCount: Int = 0,
    message: String = "", response: WebServiceResponse? = nil, underlying: (any Error)? = nil
  ) {
    self.init(
      Details(
        kind: kind, phase: phase, method: method, url: url, attemptCount: attemptCount, message: message,
        response: response, underlying: underlying))
  }

  package init(_ details: Details) {
    boxed = Boxed(details)
  }

  /// The error of a path that makes no URL.
  package static func badURL(_ path: String, _ message: String) -> WebServiceError {
    WebServiceError(.badURL, phase: .describe, url: path, message: message)
  }

  /// The values of an error.
  package struct Details: Sendable {
    package var kind: Kind
    package var phase: Phase
    package var method: HTTPMethod
    package var url: String
    package var attemptCount: Int
    package var message: String
    package var response: WebServiceResponse?
    package var underlying: (any Error)?
    var decodingFailure: DecodingFailure?
    package var redaction = Redaction.standard

    package init(
      kind: Kind, phase: Phase, method: HTTPMethod, url: String, attemptCount: Int, message: String,
      response: WebServiceResponse? = nil, underlying: (any Error)? = nil, decodingFailure: DecodingFailure? = nil,
      redaction: Redaction = Redaction.standard
    ) {
      self.kind = kind
      self.phase = phase
      self.method = method
      self.url = url
      self.attemptCount = attemptCount
      self.message = message
      self.response = response
      self.underlying = underlying
      self.decodingFailure = decodingFailure
      self.redaction = redaction
    }
  }

  var redaction: Redaction { details.redaction }
}

extension WebServiceError: Equatable {
  /// Whether two errors say the same: all properties, underlying errors by type, domain and code.
  public static func == (left: WebServiceError, right: WebServiceError) -> Bool {
    left.kind == right.kind && left.phase == right.phase && left.method == right.method
      && left.url == right.url && left.attemptCount == right.attemptCount && left.message == right.message
      && left.response?.statusCode == right.response?.statusCode
      && left.response?.headers == right.response?.headers && left.response?.body == right.response?.body
      && left.codingPath == right.codingPath
      && left.underlying.map(ErrorIdentity.init) == right.underlying.map(ErrorIdentity.init)
  }
}

/// The properties by which two errors of unknown types are compared.
private struct ErrorIdentity: Equatable {
  let type: String
  let domain: String
  let code: Int

  init(_ error: any Error) {
    let bridged = error as NSError
    type = String(reflecting: Swift.type(of: error))
    domain = bridged.domain
    code = bridged.code
  }
}

extension DecodingError {
  private var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context
    @unknown default:
      nil
    }
  }

  /// The coding path from the outside in; an index stands in brackets, and a key that is missing ends the path.
  var codingPathInWords: [String] {
    var path = context?.codingPath ?? []
    if case .keyNotFound(let key, _) = self {
      path.append(key)
    }
    return path.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }
  }

  /// The decoder's own words.
  var explanation: String { context?.debugDescription ?? "" }
}
