import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSessionProtocol {
  /// Does an exchange with the two methods that every session has.
  public func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    let url = request.url
    let destination = request.destination
    do {
      return dataTask(with: try URLRequest(request)) { data, response, error in
        let answer = SessionAnswer(data: data, response: response, error: error)
        completion(answer.result(for: url, limit: destination.memoryLimit).delivered(to: destination))
      }
    } catch {
      completion(.failure(error))
      return FinishedTask()
    }
  }
}

/// Stands for an exchange that ended before it began.
private struct FinishedTask: URLSessionTaskProtocol {}

extension TransportDestination {
  fileprivate var memoryLimit: Int {
    guard case .memory(let limit) = self else { return .max }
    return limit
  }
}

extension Result<WebServiceResponse, TransportError> {
  /// Puts the body of a whole answer where the request wants it.
  fileprivate func delivered(to destination: TransportDestination) -> Self {
    guard case .success(var response) = self else { return self }
    let body = response.body
    switch destination {
    case .memory:
      return self
    case .file(let url):
      do {
        try body.write(to: url)
      } catch {
        return .failure(
          TransportError(
            .file, message: "the answer can't be written to its file", mayHaveReachedServer: true,
            response: response, underlying: error))
      }
      response.body = Data()
    case .receiver(let receiver):
      response.body = Data()
      receiver.didReceive(head: response)
      if !body.isEmpty { receiver.didReceive(body) {} }
    }
    return .success(response)
  }
}

extension URLRequest {
  /// Foundation's form of a request.
  init(_ request: TransportRequest) throws(TransportError) {
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    // The engine keeps time itself, to the millisecond; Foundation, which counts in whole seconds, only comes after it.
    timeoutInterval = request.timeouts.whole.map { ($0 + 1).rounded(.up) } ?? 15_768_000
    httpShouldHandleCookies = false
    for field in request.headers {
      addValue(field.value, forHTTPHeaderField: field.name)
    }
    switch request.body {
    case .none:
      break
    case .data(let data):
      httpBody = data
    case .file(let url):
      do {
        httpBody = try Data(contentsOf: url, options: .mappedIfSafe)
      } catch {
        throw TransportError(
          .file, message: "the body's file can't be read", mayHaveReachedServer: false, underlying: error)
      }
    case .stream(let stream):
      httpBody = try stream.collect()
    }
  }
}

extension TransportBodyStream {
  /// All bytes in memory, for sessions that take a body in no other way.
  fileprivate func collect() throws(TransportError) -> Data {
    do {
      let reader = try makeReader()
      defer { reader.close() }
      var content = Data()
      while case let piece = try reader.read(upTo: 65_536), !piece.isEmpty {
        content.append(piece)
      }
      return content
    } catch {
      throw TransportError(
        .file, message: "the body's stream can't be read", mayHaveReachedServer: false, underlying: error)
    }
  }
}

/// What a session gave to its completion handler, made sense of.
struct SessionAnswer {
  let data: Data?
  let response: URLResponse?
  let error: (any Error)?

  func result(for url: URL, limit: Int) -> Result<WebServiceResponse, TransportError> {
    let response = response as? HTTPURLResponse
    let answer = response.map { WebServiceResponse($0, body: data ?? Data(), requested: url) }
    if let error {
      return .failure(TransportError(sessionError: error, response: answer))
    }
    guard var answer else {
      return .failure(
        TransportError(
          .notHTTPResponse, message: "the session gave no HTTP response", mayHaveReachedServer: true))
    }
    guard answer.body.count <= limit else {
      answer.body = answer.body.prefix(limit)
      return .failure(
        TransportError(
          .tooLarge, message: "the answer has more than \(limit) bytes", mayHaveReachedServer: true,
          response: answer))
    }
    return .success(answer)
  }
}

extension WebServiceResponse {
  fileprivate init(_ response: HTTPURLResponse, body: Data, requested: URL) {
    var headers = HTTPHeaders()
    for case (let name as String, let value as String) in response.allHeaderFields {
      headers.add(name: name, value: value)
    }
    self.init(statusCode: response.statusCode, headers: headers, url: response.url ?? requested, body: body)
  }
}

extension TransportError {
  /// Makes what it can of a session's error: most of Foundation's say less than one would like.
  init(sessionError error: any Error, response: WebServiceResponse?) {
    if let error = error as? TransportError {
      self = error
      return
    }
    let (kind, mayHaveReachedServer) = Self.classify(error)
    let bridged = error as NSError
    self.init(
      kind, message: "\(bridged.domain) \(bridged.code)", mayHaveReachedServer: mayHaveReachedServer,
      response: response, underlying: error)
  }

  private static func classify(_ error: any Error) -> (Kind, mayHaveReachedServer: Bool) {
    if error is CancellationError { return (.cancelled, true) }
    guard let error = error as? URLError else { return (.other, true) }
    switch error.code {
    case .cancelled: return (.cancelled, true)
    case .timedOut: return (.timedOut(.whole), true)
    case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff: return (.notConnected, false)
    case .cannotFindHost, .dnsLookupFailed: return (.nameLookup, false)
    case .cannotConnectToHost: return (.cannotConnect, false)
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
      return (.tls, false)
    case .networkConnectionLost: return (.connectionLost, true)
    case .badServerResponse, .cannotParseResponse: return (.badFraming, true)
    case .cannotDecodeRawData, .cannotDecodeContentData: return (.badEncoding, true)
    case .dataLengthExceedsMaximum: return (.tooLarge, true)
    case .badURL: return (.invalidRequest, false)
    // The engine has checked the URL: what is left is what Foundation on Linux calls an answer that is no HTTP.
    case .unsupportedURL: return (.badFraming, true)
    default: return (.other, true)
    }
  }
}
