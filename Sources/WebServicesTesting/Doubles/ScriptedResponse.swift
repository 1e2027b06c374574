public import Foundation
public import WebServicesCore

/// A response that a test scripts: a ``MockResponse`` or a ``LoopbackServer/Response``. Both have the functions below.
public protocol ScriptedResponse: Sendable {
  /// Creates a response from its parts.
  init(status: Int, headers: HTTPHeaders, body: Data)
}

extension ScriptedResponse {
  /// A response with a body.
  ///
  /// - Parameters:
  ///   - data: the body.
  ///   - status: the status code.
  ///   - headers: the header fields. The server adds `Content-Length` unless it is among them.
  public static func data(_ data: Data, status: Int = 200, headers: HTTPHeaders = [:]) -> Self {
    Self(status: status, headers: headers, body: data)
  }

  /// A response without a body.
  public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> Self {
    data(Data(), status: status, headers: headers)
  }

  /// A body of plain text.
  ///
  /// - Parameters:
  ///   - text: the body, in UTF-8.
  ///   - status: the status code.
  ///   - headers: more header fields. A `Content-Type` among them replaces the usual one.
  public static func text(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> Self {
    data(Data(text.utf8), status: status, headers: headers.withType("text/plain; charset=utf-8"))
  }

  /// A JSON body.
  ///
  /// - Parameters:
  ///   - json: the text of the body, which isn't checked.
  ///   - status: the status code.
  ///   - headers: more header fields. A `Content-Type` among them replaces the usual one.
  public static func json(_ json: String, status: Int = 200, headers: HTTPHeaders = [:]) -> Self {
    data(Data(json.utf8), status: status, headers: headers.withType("application/json"))
  }

  /// A redirect. The location is sent unchanged.
  public static func redirect(to location: String, status: Int = 302, headers: HTTPHeaders = [:]) -> Self {
    var headers = headers
    headers.add(name: "Location", value: location)
    return .status(status, headers: headers)
  }

  /// Status 401 with a `WWW-Authenticate` field for each challenge, such as `Bearer realm="test"`.
  public static func unauthorized(_ challenges: String...) -> Self {
    let fields = challenges.map { HTTPHeaders.Field(name: "WWW-Authenticate", value: $0) }
    return .text("unauthorized", status: 401, headers: HTTPHeaders(fields))
  }
}

extension HTTPHeaders {
  func withType(_ type: String) -> HTTPHeaders {
    guard self["Content-Type"] == nil else { return self }
    var headers = self
    headers.add(name: "Content-Type", value: type)
    return headers
  }
}

/// The responses for one route, in their order. The last ones may repeat.
struct Script<Element: Sendable>: Sendable {
  private var elements: [Element] = []
  private var used = 0
  private var repeatingLast = 0

  /// Adds elements behind those that were used.
  mutating func add(_ more: [Element], repeatingLast: Int) {
    used = min(used, elements.count)
    elements += more
    self.repeatingLast = min(repeatingLast, elements.count)
  }

  /// The next element; `nil` after the last, if none repeats.
  mutating func next() -> Element? {
    defer { used += 1 }
    guard used >= elements.count else { return elements[used] }
    guard repeatingLast > 0 else { return nil }
    return elements[elements.count - repeatingLast + (used - elements.count) % repeatingLast]
  }
}
