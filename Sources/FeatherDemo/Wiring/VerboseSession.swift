import Foundation
import WebServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Shows every exchange of another session's, without secrets and without bodies.
struct VerboseSession<Inner: URLSessionProtocol>: URLSessionProtocol {
  private let inner: Inner
  private let redaction: Redaction
  private let log: @Sendable (String) -> Void

  init(_ inner: Inner, redaction: Redaction, log: @escaping @Sendable (String) -> Void) {
    self.inner = inner
    self.redaction = redaction
    self.log = log
  }

  func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> Inner.DataTask {
    inner.dataTask(with: request, completionHandler: completionHandler)
  }

  func invalidateAndCancel() {
    inner.invalidateAndCancel()
  }

  func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    let target = "\(request.method) \(redaction.url(request.url.absoluteString))"
    let start = SystemClock.shared.now
    log("> \(target), \(size(of: request.body)), \(redaction.headers(request.headers))")
    return inner.transferTask(with: request) { [redaction, log] result in
      let duration = Wording.milliseconds(SystemClock.shared.now - start)
      switch result {
      case .success(let response):
        let size = Wording.count(response.body.count, "byte")
        let headers = redaction.headers(response.headers)
        log("< \(response.statusCode) \(target), \(duration), \(size), \(headers)")
      case .failure(let error):
        log("< no answer to \(target), \(duration): \(error.kind), \(redaction.text(error.message))")
      }
      completion(result)
    }
  }

  private func size(of body: TransportBody) -> String {
    switch body {
    case .none: "no body"
    case .data(let data): Wording.count(data.count, "byte")
    case .file: "a file"
    case .stream(let stream): stream.length.map { Wording.count(Int($0), "byte") } ?? "a stream"
    }
  }
}
