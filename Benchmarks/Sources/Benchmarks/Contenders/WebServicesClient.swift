import Dispatch
import Foundation
import WebServices

/// Sends with this library's public API.
struct WebServicesClient: Client {
  /// The form of each call: with a completion handler, or awaited.
  enum Form: Sendable {
    case completion, asynchronous
  }

  private let form: Form
  private let service: JsonWebService
  /// The session for downloads, because the service doesn't deliver a body in pieces.
  private let session: any URLSessionProtocol
  private let baseURL: URL
  private let queue = DispatchQueue(label: "completions", attributes: .concurrent)

  /// - Parameters:
  ///   - session: the session that sends; `nil` for the library's own choice.
  ///   - limits: limits that make requests wait in the library; `nil` lets them wait in the session.
  init(
    _ form: Form, session: (any URLSessionProtocol)?, limits: RequestLimits? = nil, server: ServerAddress
  ) throws {
    self.form = form
    baseURL = server.url
    var configuration = WebServiceConfiguration(baseURL: baseURL)
    if let certificate = server.certificate { configuration.transport.trust = .file(certificate) }
    self.session = try session ?? DefaultSession.make(configuration.transport).session
    if let limits { configuration.layers = [.limits(limits)] }
    service = JsonWebService(session: session, configuration: configuration)
  }

  func sending(of transfer: Workload.Transfer) -> Sending {
    switch transfer {
    case .fetch(let path):
      sending(FetchRequest(path: path)) { (list: JokeList) in try list.check() }
    case .upload(let bytes):
      sending(UploadRequest(content: Data(count: bytes))) { (receipt: Receipt) in try receipt.check(bytes) }
    case .download(let bytes):
      download(bytes)
    }
  }

  private func sending<Model: Decodable & Sendable>(
    _ request: some WebServiceRequestData, check: @escaping @Sendable (Model) throws -> Void
  ) -> Sending {
    let service = service
    let queue = queue
    switch form {
    case .completion:
      return .completion { completion in
        service.sendRequest(request, callbackQueue: queue) { (result: WebServiceResult<Model>) in
          completion(Self.problem(with: result, check: check))
        }
      }
    case .asynchronous:
      return .asynchronous {
        try check(try await service.sendRequest(request, as: Model.self))
      }
    }
  }

  private static func problem<Model>(
    with result: WebServiceResult<Model>, check: (Model) throws -> Void
  ) -> (any Error)? {
    do {
      guard let model = try result.get() else { return WrongResponse.bytes(0) }
      try check(model)
      return nil
    } catch {
      return error
    }
  }

  /// Downloads with a receiver and keeps nothing of the body.
  private func download(_ bytes: Int) -> Sending {
    let session = session
    let url = baseURL.appendingPathComponent("download")
    let start: @Sendable (@escaping @Sendable ((any Error)?) -> Void) -> Void = { completion in
      let counter = ByteCounter()
      let request = TransportRequest(url: url, receiver: counter)
      let task = session.transferTask(with: request) { result in
        switch result {
        case .success: completion(counter.count == bytes ? nil : WrongResponse.bytes(counter.count))
        case .failure(let error): completion(error)
        }
      }
      task.resume()
    }
    switch form {
    case .completion:
      return .completion(start)
    case .asynchronous:
      return .asynchronous {
        let problem = await withCheckedContinuation { continuation in
          start { continuation.resume(returning: $0) }
        }
        if let problem { throw problem }
      }
    }
  }
}

private struct FetchRequest: WebServiceRequestData {
  let path: String
}

private struct UploadRequest: WebServiceRequestData {
  let content: Data
  var path: String { "upload" }
  var method: HTTPMethod { .post }
  var body: RequestBody? { .data(content, contentType: "application/octet-stream") }
}
