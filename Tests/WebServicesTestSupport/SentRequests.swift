extension URLSessionProtocol {
  func send(_ request: TransportRequest) async -> Result<WebServiceResponse, TransportError> {
    await withCheckedContinuation { continuation in
      transferTask(with: request) { continuation.resume(returning: $0) }.resume()
    }
  }

  /// Sends a request, and measures the seconds until its completion.
  func timed(
    _ request: TransportRequest
  ) async -> (result: Result<WebServiceResponse, TransportError>, seconds: TimeInterval) {
    await withCheckedContinuation { continuation in
      let (process, start) = (ProcessInfo.processInfo, ProcessInfo.processInfo.systemUptime)
      transferTask(with: request) { continuation.resume(returning: ($0, process.systemUptime - start)) }.resume()
    }
  }
}

extension Result where Success == WebServiceResponse, Failure == TransportError {
  /// The status of the response, or the kind of the failure.
  var word: String {
    switch self {
    case .success(let response): "\(response.statusCode)"
    case .failure(let error): "\(error.kind)"
    }
  }

  var response: WebServiceResponse? { if case .success(let response) = self { response } else { nil } }

  var error: TransportError? { if case .failure(let error) = self { error } else { nil } }

  var text: String? { response.map { String(decoding: $0.body, as: UTF8.self) } }
}
