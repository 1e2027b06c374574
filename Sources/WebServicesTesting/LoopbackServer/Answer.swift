public import Foundation
public import WebServices

extension LoopbackServer {
  /// What the server does with a request: a list of steps, written as one (`[.head(status: 200), .stall]`) or made by
  /// one of the functions below.
  ///
  /// When the steps are through, the connection takes the next request, unless the request asked for its end or a
  /// step closed it.
  public struct Answer: Sendable {
    /// What is done, in this order.
    public var steps: [Step]
    /// Whether the steps begin with the request's head instead of its end, without `100 Continue`.
    public var beginsBeforeBody = false
    var cut: Cut?

    /// Where the answer is cut off, and what is done instead of the rest.
    struct Cut: Sendable {
      let bytes: Int
      let steps: [Step]
    }

    /// Creates an answer.
    public init(_ steps: [Step]) {
      self.steps = steps
    }

    /// Begins as soon as the request's head has come, without waiting for its body.
    public func beforeBody() -> Answer {
      var answer = self
      answer.beginsBeforeBody = true
      return answer
    }
  }
}

extension LoopbackServer.Answer: ExpressibleByArrayLiteral {
  /// Creates an answer from its steps.
  public init(arrayLiteral elements: LoopbackServer.Step...) {
    steps = elements
  }
}

// MARK: - Well-formed answers

extension LoopbackServer.Answer {
  /// A body with `Content-Length`.
  public static func data(_ data: Data, status: Int = 200, headers: HTTPHeaders = [:]) -> Self {
    var headers = headers
    if headers["Content-Length"] == nil { headers.add(name: "Content-Length", value: String(data.count)) }
    return [.head(status: status, headers: headers), .body(data)]
  }

  /// Plain text.
  public static func text(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> Self {
    data(Data(text.utf8), status: status, headers: headers.withType("text/plain; charset=utf-8"))
  }

  /// JSON that is written out.
  public static func json(_ json: String, status: Int = 200, headers: HTTPHeaders = [:]) -> Self {
    data(Data(json.utf8), status: status, headers: headers.withType("application/json"))
  }

  /// No body: without `Content-Length` for 1xx, 204 and 304, where it has no place, else with a length of 0.
  public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> Self {
    guard status >= 200, status != 204, status != 304 else {
      return [.head(status: status, headers: headers)]
    }
    return data(Data(), status: status, headers: headers)
  }

  /// A chunked body, a chunk for each piece.
  public static func chunked(
    _ pieces: [Data], status: Int = 200, headers: HTTPHeaders = [:], trailers: HTTPHeaders = [:]
  ) -> Self {
    var headers = headers
    headers.add(name: "Transfer-Encoding", value: "chunked")
    return Self(
      [.head(status: status, headers: headers)] + pieces.map { .chunk($0) } + [.lastChunk(trailers: trailers)]
    )
  }

  /// A chunked body, a chunk for each piece of text.
  public static func chunked(
    _ pieces: [String], status: Int = 200, headers: HTTPHeaders = [:], trailers: HTTPHeaders = [:]
  ) -> Self {
    chunked(pieces.map { Data($0.utf8) }, status: status, headers: headers, trailers: trailers)
  }

  /// A body that ends where the connection ends.
  public static func untilClose(_ data: Data, status: Int = 200, headers: HTTPHeaders = [:]) -> Self {
    var headers = headers
    headers["Connection"] = "close"
    return [.head(status: status, headers: headers), .body(data), .close]
  }
}

extension HTTPHeaders {
  fileprivate func withType(_ type: String) -> HTTPHeaders {
    guard self["Content-Type"] == nil else { return self }
    var headers = self
    headers.add(name: "Content-Type", value: type)
    return headers
  }
}
