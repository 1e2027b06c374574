import CurlLoop
import Dispatch
import Foundation

/// Sends with a plain loop over libcurl, and decodes each response on a concurrent queue or in the task that awaits it.
/// The loop shows the cost of libcurl itself, without a client around it.
struct CurlLoopClient: Client {
  /// Whether the machine has libcurl.
  static let isAvailable = curlLoopLoad()

  /// The failures of the loop.
  enum Failure: Error {
    case notStarted
    /// libcurl's `CURLcode`.
    case transfer(Int32)
    /// The loop sends no uploads and no downloads.
    case onlyFetches
  }

  private let form: WebServicesClient.Form
  private let decode: @Sendable (Data) throws -> JokeList
  private let baseURL: URL
  private let queue = DispatchQueue(label: "completions", attributes: .concurrent)

  /// Starts the loop. A process can have only one, because the loop never ends.
  init(
    _ form: WebServicesClient.Form, _ server: ServerAddress, decode: @escaping @Sendable (Data) throws -> JokeList
  ) throws {
    (self.form, self.decode) = (form, decode)
    baseURL = server.url
    // The loop keeps the string.
    let certificate = server.certificate.flatMap { strdup($0) }
    guard curlLoopStart(certificate) else { throw Failure.notStarted }
  }

  func sending(of transfer: Workload.Transfer) throws -> Sending {
    guard case .fetch(let path) = transfer else { throw Failure.onlyFetches }
    let url = URLText(baseURL.appendingPathComponent(path).absoluteString)
    switch form {
    case .completion:
      return .completion { [queue, decode] completion in
        Self.fetch(url) { result in
          queue.async { completion(Self.problem(with: result) { try decode($0).check() }) }
        }
      }
    case .asynchronous:
      return .asynchronous { [decode] in
        let result = await withCheckedContinuation { continuation in
          Self.fetch(url) { continuation.resume(returning: $0) }
        }
        try decode(result.get()).check()
      }
    }
  }

  /// Sends a request, and calls the closure on the loop's thread.
  private static func fetch(_ url: URLText, end: @escaping @Sendable (Result<Data, any Error>) -> Void) {
    let request = Request(end: end)
    curlLoopFetch(url.pointer, Unmanaged.passRetained(request).toOpaque()) { context, code, status, bytes, count in
      guard let context else { return }
      let body = bytes.map { Data(bytesNoCopy: $0, count: count, deallocator: .free) }
      let request = Unmanaged<Request>.fromOpaque(context).takeRetainedValue()
      request.end(CurlLoopClient.body(body, code: code, status: status))
    }
  }

  private static func body(_ body: Data?, code: Int32, status: Int) -> Result<Data, any Error> {
    guard code == 0 else { return .failure(Failure.transfer(code)) }
    guard status == 200, let body else { return .failure(WrongResponse.status(status)) }
    return .success(body)
  }

  private static func problem(
    with result: Result<Data, any Error>, read: (Data) throws -> Void
  ) -> (any Error)? {
    do {
      try read(result.get())
      return nil
    } catch {
      return error
    }
  }
}

/// A request that the loop knows by its address.
private final class Request: Sendable {
  /// Called once, on the loop's thread.
  let end: @Sendable (Result<Data, any Error>) -> Void

  init(end: @escaping @Sendable (Result<Data, any Error>) -> Void) {
    self.end = end
  }
}

/// A URL as the C string that the loop reads while it sends. The memory is never freed or changed.
private struct URLText: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<CChar>?

  init(_ text: String) {
    pointer = strdup(text)
  }
}
