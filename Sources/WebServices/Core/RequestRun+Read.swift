extension RequestRun {
  /// Passes the outcome to the completion's queue, where `read` makes the value and `claim` delivers it. All other
  /// references are released first, because a session may retain the request for longer.
  ///
  /// - Parameter resources: those that the request held.
  func handOver(_ outcome: Result<WebServiceResponse, WebServiceError>, _ resources: RequestRunState.Resources) {
    if case .success(let response) = outcome, !engine.monitors.isEmpty {
      state.withLock { $0.status = response.statusCode }
    }
    resources.timer?.cancel()
    resources.deadlineTimer?.cancel()
    let delivery = resources.delivery
    if let relay { relay.finish { [self] in delivery?.run(self, outcome) } } else { delivery?.run(self, outcome) }
  }

  // Inlining would keep the temporaries in the frame of each awaited request.
  /// Reads a response as a value. The caller's code may run here. A failure is passed on unchanged.
  @inline(never)
  package func read<Value>(
    _ outcome: Result<WebServiceResponse, WebServiceError>, with parser: ResponseParser<Value>
  ) -> Result<Value, WebServiceError> {
    let response: WebServiceResponse
    switch outcome {
    case .success(let success): response = success
    case .failure(let error): return .failure(error)
    }
    if let error = refusal(of: response, accepting: parser.acceptedStatusCodes) { return .failure(error) }
    do {
      let value = try parser.make(response, decoder, self)
      record(.decoded)
      return .success(value)
    } catch { return .failure(WebServiceError(undecodable: response, error)) }
  }

  /// Asks the validators.
  ///
  /// - Parameter statusCodes: the statuses that are accepted without asking the validators.
  /// - Returns: why the response is refused.
  package func refusal(of response: WebServiceResponse, accepting statusCodes: [Int: Bool] = [:]) -> WebServiceError? {
    guard statusCodes[response.statusCode] == nil else { return nil }
    let settings = options.decoder ?? engine.configuration.decoder
    var response = response
    if sink != nil { response.isHead = true }
    do {
      for validator in options.validators { try validator.validate(response, decoder: settings) }
      for validator in engine.configuration.validators { try validator.validate(response, decoder: settings) }
      // Only a success has given its body to a file, whatever the validators accept.
      if sink?.isStream == false { try ResponseValidator.successfulStatus.validate(response) }
      return nil
    } catch {
      // The error's kind says the status already, so the library's own validator adds nothing.
      let isPlainStatus = error as? ResponseValidationError == .statusCode(response.statusCode)
      return WebServiceError(
        response.isSuccessful && !isPlainStatus ? .invalidResponse : .statusCode(response.statusCode), phase: .judge,
        message: isPlainStatus ? "" : "a validator refused the response", response: response,
        underlying: isPlainStatus ? nil : error)
    }
  }

  /// The URL of the request before redirects.
  package var target: HTTPURL? { state.withLock { $0.machine.described }?.target }

  package var decoder: FeatherJSONDecoder { options.decoder.map(FeatherJSONDecoder.init) ?? engine.decoder }
}
