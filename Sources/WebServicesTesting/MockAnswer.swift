public import Foundation
public import WebServices

/// What a `MockURLSession` answers.
public struct MockAnswer: Sendable {
  struct Content: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: Data
    var isHTTP = true
  }

  var outcome: Result<Content, any Error>
  /// Seconds on the session's clock; infinite means never.
  var delay: TimeInterval?

  /// An answer with a status, headers and a body of bytes.
  public static func response(
    status: Int = 200, headers: HTTPHeaders = HTTPHeaders(), body: Data = Data()
  ) -> MockAnswer {
    MockAnswer(outcome: .success(Content(status: status, headers: headers, body: body)))
  }

  /// An answer with a JSON body, given as text.
  public static func json(
    _ body: String, status: Int = 200, headers: HTTPHeaders = HTTPHeaders()
  ) -> MockAnswer {
    var all: HTTPHeaders = ["Content-Type": "application/json"]
    all.merge(headers)
    return .response(status: status, headers: all, body: Data(body.utf8))
  }

  /// A failure of the session, such as `URLError(.timedOut)`.
  public static func failure(_ error: any Error) -> MockAnswer {
    MockAnswer(outcome: .failure(error))
  }

  /// A response that isn't HTTP.
  public static let notHTTP = MockAnswer(
    outcome: .success(Content(status: 0, headers: HTTPHeaders(), body: Data(), isHTTP: false)))

  /// No answer until the task is cancelled.
  public static let never = MockAnswer.response().delayed(by: .infinity)

  /// The same answer, so many seconds later.
  public func delayed(by delay: TimeInterval) -> MockAnswer {
    var copy = self
    copy.delay = delay
    return copy
  }
}
