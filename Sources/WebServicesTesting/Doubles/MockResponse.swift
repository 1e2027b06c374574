public import Foundation
public import WebServicesCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A scripted response of a ``MockURLSession``.
public struct MockResponse: Sendable {
  /// The parts of a response. A status that HTTP doesn't have makes a response of another scheme.
  package struct Content: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: Data
    var isDecoded = false

    /// The body that a session delivers. HTTP has none in these responses (RFC 9110, section 6.4.1).
    func body(to method: HTTPMethod) -> Data { method == .head || status == 204 || status == 304 ? Data() : body }

    /// The response to a request; `nil` for a response of another scheme.
    func response(to method: HTTPMethod, from url: URL) -> WebServiceResponse? {
      var response = WebServiceResponse(statusCode: status, headers: headers, url: url, body: body(to: method))
      response.isDecoded = isDecoded
      return (100...999).contains(status) ? response : nil
    }

    func foundation(from url: URL) -> URLResponse? {
      response(to: .get, from: url).map(\.foundation)
        ?? URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    }
  }

  var outcome: Result<Content, any Error>
  /// The delay in seconds on the session's clock; infinite means never.
  var delay: TimeInterval?

  /// The error of a response that never comes.
  package var unendingError: TransportError? {
    guard delay == .infinity, case .failure(let error) = outcome else { return nil }
    return error as? TransportError
  }

  /// A failure of the session, such as `URLError(.timedOut)`.
  public static func failure(_ error: any Error) -> MockResponse {
    MockResponse(outcome: .failure(error))
  }

  /// A failure before the server has seen the request.
  package static func unsent(_ kind: TransportError.Kind, _ message: String) -> MockResponse {
    .failure(TransportError(kind, message: message, mayHaveReachedServer: false))
  }

  /// A response that isn't an `HTTPURLResponse`.
  public static let notHTTP = MockResponse.status(0)

  /// A response that never comes. The task completes only when it is cancelled.
  public static let never = MockResponse.status(200).delayed(by: .infinity)

  /// A copy that arrives later.
  ///
  /// - Parameter delay: the delay in seconds, on the session's clock. An infinite delay means never.
  public func delayed(by delay: TimeInterval) -> MockResponse {
    var copy = self
    copy.delay = delay
    return copy
  }
}

extension MockResponse: ScriptedResponse {
  /// A response that a session has received before.
  package init(_ response: WebServiceResponse) {
    outcome = .success(
      Content(
        status: response.statusCode, headers: response.headers, body: response.body, isDecoded: response.isDecoded))
  }

  /// Creates a response with a status, header fields and a body.
  public init(status: Int, headers: HTTPHeaders, body: Data) {
    outcome = .success(Content(status: status, headers: headers, body: body))
  }
}
