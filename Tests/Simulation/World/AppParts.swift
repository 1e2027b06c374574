import Foundation
import WebServices

/// An app's own layer, which only forwards unless it answers a call itself.
struct AppLayer: SessionLayer {
  /// The path of each call that the layer answers.
  let answered: Set<String>

  func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
    AppSession(next: next, answered: answered)
  }

  private struct AppSession: WrappingSession {
    let next: any URLSessionProtocol
    let answered: Set<String>

    func transferTask(
      with request: TransportRequest,
      completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
    ) -> any URLSessionTaskProtocol {
      guard answered.contains(request.url.path) else {
        return next.transferTask(with: request) { completion($0) }
      }
      let body = Data(Servers.lines.map { $0 + "\n" }.joined().utf8)
      let response = WebServiceResponse(statusCode: 200, headers: ["X-App": "1"], url: request.url, body: body)
      return finishedTask(with: .success(response)) { completion($0) }
    }
  }
}

/// A service of the app around a service. It has both methods of the protocol.
final class ForwardingService: JsonWebServiceable {
  private let next: any JsonWebServiceable

  init(_ next: any JsonWebServiceable) { self.next = next }

  func sendRequest<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask {
    next.sendRequest(requestData, parser: parser, callbackQueue: callbackQueue, completion: completion)
  }

  func sendRequest<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, isolation: isolated (any Actor)?
  ) async throws(WebServiceError) -> Value {
    try await next.sendRequest(requestData, parser: parser, isolation: isolation)
  }
}

/// A service of the app that has one method only, and reads the response beside the value.
final class ReadingService: JsonWebServiceable {
  private let next: any JsonWebServiceable

  init(_ next: any JsonWebServiceable) { self.next = next }

  func sendRequest<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask {
    next.sendRequest(requestData, parser: parser.withResponse, callbackQueue: callbackQueue) {
      completion($0.map(\.value))
    }
  }
}

/// A body that can be sent only once. The network reads no body.
struct StreamedContent: TransportBody.Stream {
  let length: Int64? = 7
  let isReplayable = false

  func makeReader() throws -> any TransportBody.Reader { throw CocoaError(.featureUnsupported) }
}

/// Something that the closures of a call, or of a server, hold. It has to be gone once they are over.
final class Witness: Sendable {}

/// A weak reference to a witness.
struct Trace {
  let name: String
  weak var witness: Witness?
}
