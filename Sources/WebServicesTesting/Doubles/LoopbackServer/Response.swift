public import Foundation
public import WebServicesCore

extension LoopbackServer {
  /// The server's reaction to a request, as a list of steps. Write the steps as an array literal, such as
  /// `[.head(status: 200), .never]`, or use one of the functions below.
  ///
  /// After the last step the connection reads the next request, unless a step or the request closed it.
  public struct Response: ScriptedResponse {
    /// The steps in their order.
    public var steps: [Step]
    /// Whether the steps begin after the request's head, before its body and without `100 Continue`.
    public var beginsBeforeBody = false
    var cut: Cut?

    /// The place where the response is cut off, and the steps that follow instead.
    struct Cut: Sendable {
      var bytes: Int
      let steps: [Step]
    }

    /// Creates a response from steps.
    public init(_ steps: [Step]) {
      self.steps = steps
    }

    /// Creates a response with `Content-Length`, unless that is among the header fields. Status 1xx, 204 and 304 have
    /// no body, and so no length.
    public init(status: Int, headers: HTTPHeaders, body: Data) {
      var headers = headers
      // Such responses have no body (RFC 9110, section 6.4.1).
      let hasLength = !body.isEmpty || (status >= 200 && status != 204 && status != 304)
      if hasLength, headers["Content-Length"] == nil { headers.add(name: "Content-Length", value: "\(body.count)") }
      steps = [.head(status: status, headers: headers), .body(body)]
    }

    /// Starts the response once the request's head has arrived, without waiting for the body.
    public func beforeBody() -> Response {
      var response = self
      response.beginsBeforeBody = true
      return response
    }
  }
}

extension LoopbackServer.Response: ExpressibleByArrayLiteral {
  /// Creates a response from its steps.
  public init(arrayLiteral elements: LoopbackServer.Step...) {
    steps = elements
  }
}

// MARK: - Well-formed responses

extension LoopbackServer.Response {
  /// A chunked body.
  ///
  /// - Parameters:
  ///   - pieces: the chunks. An empty piece sends nothing.
  ///   - status: the status code.
  ///   - headers: more header fields. The method adds `Transfer-Encoding`.
  ///   - trailers: the fields after the last chunk.
  public static func chunked(
    _ pieces: [Data], status: Int = 200, headers: HTTPHeaders = [:], trailers: HTTPHeaders = [:]
  ) -> Self {
    var headers = headers
    headers.add(name: "Transfer-Encoding", value: "chunked")
    return Self(
      [.head(status: status, headers: headers)] + pieces.map { .chunk($0) } + [.lastChunk(trailers: trailers)]
    )
  }

  /// A chunked body of text.
  ///
  /// - Parameters:
  ///   - pieces: the chunks, each sent as UTF-8. An empty piece sends nothing.
  ///   - status: the status code.
  ///   - headers: more header fields. The method adds `Transfer-Encoding`.
  ///   - trailers: the fields after the last chunk.
  public static func chunked(
    _ pieces: [String], status: Int = 200, headers: HTTPHeaders = [:], trailers: HTTPHeaders = [:]
  ) -> Self {
    chunked(pieces.map { Data($0.utf8) }, status: status, headers: headers, trailers: trailers)
  }

  /// A body without a length, which ends with the connection.
  ///
  /// - Parameters:
  ///   - data: the body.
  ///   - status: the status code.
  ///   - headers: more header fields. `Connection` is always `close`.
  public static func untilClose(_ data: Data, status: Int = 200, headers: HTTPHeaders = [:]) -> Self {
    var headers = headers
    headers["Connection"] = "close"
    return [.head(status: status, headers: headers), .body(data), .close]
  }
}

// Responses that violate the protocol. A client must handle all of them.
extension LoopbackServer.Response {
  /// No response, while the connection stays open.
  public static var never: Self { [.never] }

  /// An orderly close of the connection instead of a response.
  public static var close: Self { [.close] }

  /// A reset of the connection instead of a response.
  public static var reset: Self { [.reset] }

  /// Text that is sent unchanged. The connection stays open unless `steps` close it.
  public static func raw(_ text: String, then steps: LoopbackServer.Step...) -> Self {
    Self([.text(text)] + steps)
  }
}
