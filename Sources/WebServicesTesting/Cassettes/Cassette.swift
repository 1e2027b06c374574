public import Foundation
public import WebServices

/// Exchanges with a server, recorded by a `RecordingSession` and given again by a `ReplayingSession`.
///
/// It is kept in a file that people can read and change: JSON, with bodies as text where they are text. What a
/// `Redaction` names isn't in it.
public struct Cassette: Hashable, Sendable {
  /// A request and what came of it.
  public struct Exchange: Hashable, Sendable {
    /// What was asked.
    public var request: Request
    /// What came of it.
    public var outcome: Outcome

    /// Creates an exchange.
    public init(request: Request, outcome: Outcome) {
      self.request = request
      self.outcome = outcome
    }
  }

  /// What was asked, without secrets.
  public struct Request: Hashable, Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The URL; where a secret was, it isn't one any more.
    public var url: String
    /// The header fields.
    public var headers: HTTPHeaders
    /// The content.
    public var body: Body

    /// Creates a request.
    public init(method: HTTPMethod = .get, url: String, headers: HTTPHeaders = HTTPHeaders(), body: Body = .none) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }

    /// The URL's path, as it stands there.
    public var path: String {
      guard let path = try? URLReference(url).path, path.hasPrefix("/") else { return "/" }
      return String(path)
    }
  }

  /// An answer, without secrets.
  public struct Response: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// The URL that answered.
    public var url: String
    /// The header fields.
    public var headers: HTTPHeaders
    /// The content.
    public var body: Body

    /// Creates an answer.
    public init(status: Int, url: String, headers: HTTPHeaders = HTTPHeaders(), body: Body = .none) {
      self.status = status
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  /// What came of a request.
  public enum Outcome: Hashable, Sendable {
    /// A whole answer.
    case response(Response)
    /// None: what kind of `TransportError` there was, its message, whether the server may have seen the request, and
    /// what had come of the answer. A request that was cancelled gets no answer when it is replayed either.
    case failure(TransportError.Kind, message: String, mayHaveReachedServer: Bool, response: Response?)
  }

  /// The content of a request or an answer.
  public enum Body: Hashable, Sendable {
    /// There is none.
    case none
    /// Text in UTF-8.
    case text(String)
    /// Anything else.
    case bytes(Data)
    /// There was content that wasn't recorded, for this reason. It equals what isn't recorded for the same.
    case omitted(String)
  }

  /// The exchanges in the order in which they were begun.
  public var exchanges: [Exchange]

  /// Creates a cassette.
  public init(exchanges: [Exchange] = []) {
    self.exchanges = exchanges
  }
}

extension Cassette.Body {
  /// Text where it is text that can be read, bytes elsewhere.
  init(_ data: Data) {
    guard !data.isEmpty else {
      self = .none
      return
    }
    let text = String(decoding: data, as: UTF8.self)
    let isReadable = text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0x7F || "\t\r\n".unicodeScalars.contains($0)
    }
    self = isReadable && text.utf8.elementsEqual(data) ? .text(text) : .bytes(data)
  }

  var data: Data {
    switch self {
    case .none, .omitted: Data()
    case .text(let text): Data(text.utf8)
    case .bytes(let data): data
    }
  }
}

extension Cassette.Request: CustomStringConvertible {
  /// Method and URL.
  public var description: String { "\(method) \(url)" }
}
