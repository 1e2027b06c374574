public import Foundation
public import WebServicesCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A scripted response of a ``MockURLSession``.
public struct MockResponse: Sendable {
  /// The parts of a response; `isHTTP` is `false` for a response of another scheme.
  package struct Content: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: Data
    var isHTTP = true
    var isDecoded = false

    /// The response to a request for a URL; `nil` for a response of another scheme.
    func response(from url: URL) -> WebServiceResponse? {
      var response = WebServiceResponse(statusCode: status, headers: headers, url: url, body: body)
      response.isDecoded = isDecoded
      return isHTTP ? response : nil
    }

    func foundation(from url: URL) -> URLResponse? {
      response(from: url).map(\.foundation)
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
  public static let notHTTP = MockResponse(
    outcome: .success(Content(status: 0, headers: HTTPHeaders(), body: Data(), isHTTP: false)))

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
