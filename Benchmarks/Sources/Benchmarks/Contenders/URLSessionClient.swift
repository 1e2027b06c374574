import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends with Foundation's `URLSession`. Each completion handler checks and decodes the response on the session's
/// queue.
struct URLSessionClient: Client {
  /// The queue of the session's completion handlers.
  enum Queue: Sendable {
    /// The session's own serial queue.
    case standard
    /// A queue that runs several handlers at the same time. `URLSession` allows this only without a delegate.
    case concurrent
  }

  private let session: URLSession
  private let configuration: URLSessionConfiguration
  private let baseURL: URL
  private let decoder = JSONDecoder()

  init(_ configuration: URLSessionConfiguration, queue: Queue = .standard, baseURL: URL) {
    self.configuration = configuration
    self.baseURL = baseURL
    switch queue {
    case .standard:
      session = URLSession(configuration: configuration)
    case .concurrent:
      session = URLSession(configuration: configuration, delegate: nil, delegateQueue: OperationQueue())
    }
  }

  func sending(of transfer: Workload.Transfer) -> Sending {
    switch transfer {
    case .fetch(let path): fetch(path)
    case .upload(let bytes): upload(Data(count: bytes))
    case .download(let bytes): download(bytes)
    }
  }

  private func fetch(_ path: String) -> Sending {
    let url = baseURL.appendingPathComponent(path)
    return .completion { [session, decoder] completion in
      session.dataTask(with: url) { data, response, error in
        completion(
          problem(data, response, error) { try decoder.decode(JokeList.self, from: $0).check() })
      }.resume()
    }
  }

  private func upload(_ content: Data) -> Sending {
    var request = URLRequest(url: baseURL.appendingPathComponent("upload"))
    request.httpMethod = "POST"
    request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
    return .completion { [session, decoder, request] completion in
      session.uploadTask(with: request, from: content) { data, response, error in
        completion(
          problem(data, response, error) { try decoder.decode(Receipt.self, from: $0).check(content.count) })
      }.resume()
    }
  }

  private func download(_ bytes: Int) -> Sending {
    let url = baseURL.appendingPathComponent("download")
    let delegate = DownloadDelegate()
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    return .completion { completion in
      let task = session.dataTask(with: url)
      delegate.expect(bytes, by: task, completion: completion)
      task.resume()
    }
  }
}

/// Returns the error of a response, or the error that `read` throws; `nil` for a good response.
private func problem(
  _ data: Data?, _ response: URLResponse?, _ error: (any Error)?, read: (Data) throws -> Void
) -> (any Error)? {
  if let error { return error }
  let status = (response as? HTTPURLResponse)?.statusCode ?? 0
  guard let data, status == 200 else { return WrongResponse.status(status) }
  do {
    try read(data)
    return nil
  } catch {
    return error
  }
}
