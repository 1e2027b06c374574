public import Foundation
public import WebServicesCore

/// Requests and responses that a ``RecordingSession`` recorded and a ``ReplayingSession`` replays.
///
/// A cassette is stored as JSON that people can read and edit. Bodies that are text are stored as text. Secrets that
/// the `Redaction` names are not stored.
public struct Cassette: Hashable, Sendable {
  /// A request and its outcome: a response or a failure.
  public struct Exchange: Hashable, Sendable {
    /// The request.
    public var request: Request
    /// The outcome.
    public var outcome: Outcome

    /// Creates a pair of a request and its outcome.
    public init(request: Request, outcome: Outcome) {
      self.request = request
      self.outcome = outcome
    }
  }

  /// A request without secrets.
  public struct Request: Hashable, Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The URL. Secret parts are replaced by a placeholder.
    public var url: String
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body.
    public var body: Body

    /// Creates a request. Each parameter sets the property of the same name.
    public init(method: HTTPMethod = .get, url: String, headers: HTTPHeaders = HTTPHeaders(), body: Body = .none) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }

    /// The path of the URL, still percent-encoded.
    public var path: String {
      guard let path = try? URLReference(url).path, path.hasPrefix("/") else { return "/" }
      return String(path)
    }
  }

  /// A response without secrets.
  public struct Response: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// The URL of the response, which differs from the request's after a redirect.
    public var url: String
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body.
    public var body: Body

    /// Creates a response. Each parameter sets the property of the same name.
    public init(status: Int, url: String, headers: HTTPHeaders = HTTPHeaders(), body: Body = .none) {
      self.status = status
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  /// The outcome of a request.
  public enum Outcome: Hashable, Sendable {
    /// A complete response.
    case response(Response)
    /// The request failed. Contains the error's kind and message, whether the server may have seen the request, and the
    /// part of the response that arrived. A replayed request that was cancelled waits until it is cancelled again.
    case failure(TransportError.Kind, message: String, mayHaveReachedServer: Bool, response: Response?)
  }

  /// The body of a request or a response.
  public enum Body: Hashable, Sendable {
    /// An empty body.
    case none
    /// UTF-8 text.
    case text(String)
    /// Bytes that aren't UTF-8 text.
    case bytes(Data)
    /// A body that wasn't recorded, with the reason. Two such bodies are equal if their reasons are.
    case omitted(String)
  }

  /// The recorded requests in the order in which they started.
  public var exchanges: [Exchange]

  /// Creates a cassette.
  public init(exchanges: [Exchange] = []) {
    self.exchanges = exchanges
  }
}

extension Cassette.Body {
  /// Text if the bytes are readable text, else bytes.
  init(_ data: Data) {
    guard !data.isEmpty else {
      self = .none
      return
    }
    // Decoding replaces invalid bytes, so only text comes back as the same bytes.
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
  /// The method and the URL.
  public var description: String { "\(method) \(url)" }
}
