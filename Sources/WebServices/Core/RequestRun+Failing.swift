import Foundation

extension RequestRun {
  /// - Parameter exchange: which one it is about, where one is under way.
  func refuse(
    _ kind: WebServiceError.Kind, _ message: String, underlying: (any Error)? = nil, exchange: Int? = nil
  ) {
    advance(
      .refused(exchange: exchange),
      with: .refusal(ResponseJudge.Refusal(kind: kind, message: message, underlying: underlying)))
  }

  /// A decoding failure, told with the answer that it happened on.
  func readingError(_ underlying: any Error, response: WebServiceResponse) -> WebServiceError {
    var refusal = ResponseJudge.Refusal(
      kind: .undecodableBody, message: "the body is not what was expected", response: response,
      underlying: underlying)
    switch underlying {
    case let error as DecodingError:
      refusal.decodingFailure = DecodingFailure(error, in: response.body)
    case let piece as UndecodablePiece:
      refusal.underlying = piece.error
      refusal.decodingFailure = DecodingFailure(piece.error, in: piece.bytes)
    default:
      break
    }
    return error(refusal, phase: .read)
  }

  /// A file that couldn't be written, or an answer that doesn't belong there, told with that answer.
  func fileError(_ underlying: any Error, response: WebServiceResponse) -> WebServiceError {
    let isWrong = underlying is WrongPart
    let refusal = ResponseJudge.Refusal(
      kind: isWrong ? .sessionFailure : .file,
      message: isWrong
        ? "the server sent another part of the file than it was asked for" : "the answer couldn't be put into its file",
      response: response, underlying: underlying)
    return error(refusal, phase: .read)
  }

  /// A validator's refusal, told with the answer that it refused.
  func validationError(_ underlying: any Error, response: WebServiceResponse) -> WebServiceError {
    let isPlainStatus = underlying as? ResponseValidationError == .statusCode(response.statusCode)
    let refusal = ResponseJudge.Refusal(
      kind: response.isSuccessful && !isPlainStatus ? .invalidResponse : .statusCode(response.statusCode),
      message: isPlainStatus ? "" : "a validator refused the answer", response: response,
      underlying: isPlainStatus ? nil : underlying)
    return error(refusal, phase: .judge)
  }

  func error(_ refusal: ResponseJudge.Refusal, phase: WebServiceError.Phase) -> WebServiceError {
    let (request, described, credentials, cause, attempts) = state.withLock {
      ($0.request, $0.described, $0.credentials, $0.lastFailure, $0.sentAttempts)
    }
    let circumstances = FailureCircumstances(
      phase: phase, attemptCount: attempts, request: request, described: described, credentials: credentials,
      configuration: engine.configuration)
    return circumstances.error(refusal.after(cause), describedAs: data)
  }
}
