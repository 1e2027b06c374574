import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Why no session can be made with a ``TransportConfiguration``.
public struct TransportConfigurationError: Error, Hashable {
  /// The property of ``TransportConfiguration`` that can't be kept, such as `pinnedPublicKeys`.
  public let setting: String
  /// Which value is wrong, or which session can't keep it, and what to do. It holds no secret.
  public let reason: String

  init(_ setting: String, _ reason: String) {
    self.setting = setting
    self.reason = reason
  }
}

extension TransportConfigurationError: DescriptionOnly {
  /// The property and the reason.
  public var description: String { "TransportConfiguration.\(setting): \(reason)" }
}

/// Fails every request of a service whose configuration no session supports. Nothing is sent.
struct RefusingSession: URLSessionProtocol {
  let reason: TransportConfigurationError

  private var error: TransportError { .unsent(.invalidRequest, reason.description, cause: reason) }

  func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    RefusedTask { [error] in completion(.failure(error)) }
  }

  func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> RefusedTask {
    RefusedTask { [error] in completionHandler(nil, nil, error.foundation) }
  }

  func invalidateAndCancel() {}
}

/// A task that fails when it is resumed or cancelled, once.
struct RefusedTask: URLSessionTaskProtocol {
  private let isFirst = Once()
  private let fail: @Sendable () -> Void

  init(_ fail: @escaping @Sendable () -> Void) {
    self.fail = fail
  }

  func resume() { if isFirst() { fail() } }

  func cancel() { resume() }
}
