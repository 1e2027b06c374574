public import Foundation

/// Looks at an answer before it is read, and may refuse it. Validators stand in a row; the first one that refuses decides.
///
/// A request's own come first (`RequestOptions.validators`), then those of the configuration, which by default are
/// `[.problemDetails, .successfulStatus]`. A status that the request's parser maps to a value is asked of none.
///
/// They run where the parser runs, never on the transport's thread.
public struct ResponseValidator: Sendable {
  private let check: @Sendable (WebServiceResponse, JSONDecoder) throws -> Void

  /// Creates a validator.
  ///
  /// - Parameter check: throws an error of the app's own to refuse the answer. The completion gets a `WebServiceError`
  ///   of kind `.statusCode`, or `.invalidResponse` where the status is one of 200...299, with that error underneath
  ///   (`underlying(as:)`) and the response beside it.
  public init(_ check: @escaping @Sendable (WebServiceResponse) throws -> Void) {
    self.check = { response, _ in try check(response) }
  }

  /// Creates a validator that is given the decoder of the request or the configuration too.
  public init(_ check: @escaping @Sendable (WebServiceResponse, JSONDecoder) throws -> Void) {
    self.check = check
  }

  /// Throws where the answer is refused.
  public func validate(_ response: WebServiceResponse, decoder: JSONDecoder = JSONDecoder()) throws {
    try check(response, decoder)
  }
}

private enum ValidatorsKey: RequestOptionKey {
  static var defaultValue: [ResponseValidator] { [] }
}

extension RequestOptions {
  /// Validators that check the response before those of the configuration do.
  public var validators: [ResponseValidator] {
    get { self[ValidatorsKey.self] }
    set { self[ValidatorsKey.self] = newValue }
  }
}
