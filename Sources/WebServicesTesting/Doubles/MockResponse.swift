public import Foundation
public import WebServicesCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A scripted response of a ``MockURLSession``.
public struct MockResponse: Sendable {
  /// The parts of a response; `isHTTP` is `false` for a response of another scheme.
  struct Content: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: Data
    var isHTTP = true

    func response(for request: URLRequest) -> URLResponse? {
      guard let url = request.url else { return nil }
      guard isHTTP else {
        return URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
      }
      return WebServiceResponse(statusCode: status, headers: headers, url: url, body: Data()).foundation
    }
  }

  var outcome: Result<Content, any Error>
  /// The delay in seconds on the session's clock; infinite means never.
  var delay: TimeInterval?

  /// A response with a status, header fields and a body.
  public static func response(
    status: Int = 200, headers: HTTPHeaders = HTTPHeaders(), body: Data = Data()
  ) -> MockResponse {
    MockResponse(outcome: .success(Content(status: status, headers: headers, body: body)))
  }

  /// A response with JSON text.
  ///
  /// - Parameters:
  ///   - body: the text, which isn't checked.
  ///   - status: the status code.
  ///   - headers: more header fields. A `Content-Type` among them replaces `application/json`.
  public static func json(
    _ body: String, status: Int = 200, headers: HTTPHeaders = HTTPHeaders()
  ) -> MockResponse {
    var all: HTTPHeaders = ["Content-Type": "application/json"]
    all.merge(headers)
    return .response(status: status, headers: all, body: Data(body.utf8))
  }

  /// A failure of the session, such as `URLError(.timedOut)`.
  public static func failure(_ error: any Error) -> MockResponse {
    MockResponse(outcome: .failure(error))
  }

  /// A response that isn't an `HTTPURLResponse`.
  public static let notHTTP = MockResponse(
    outcome: .success(Content(status: 0, headers: HTTPHeaders(), body: Data(), isHTTP: false)))

  /// A response that never comes. The task completes only when it is cancelled.
  public static let never = MockResponse.response().delayed(by: .infinity)

  /// A copy that arrives later.
  ///
  /// - Parameter delay: the delay in seconds, on the session's clock. An infinite delay means never.
  public func delayed(by delay: TimeInterval) -> MockResponse {
    var copy = self
    copy.delay = delay
    return copy
  }
}
