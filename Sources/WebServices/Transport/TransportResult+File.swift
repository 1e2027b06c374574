extension Result<WebServiceResponse, TransportError> {
  /// The same, but an answer that could not be written is no success.
  func unless(_ failure: (any Error)?) -> Self {
    guard let failure, case .success(let response) = self else { return self }
    return .failure(
      TransportError(
        .file, message: "the answer couldn't be written", mayHaveReachedServer: true, response: response,
        underlying: failure))
  }
}
