public import Foundation

/// Checks a response before it is read, and may refuse it. The first validator that refuses decides.
///
/// A request's own validators come first (``RequestOptions/validators``), then those of the configuration, which by
/// default are `[.successfulStatus]`. No validator checks a status that the request's parser maps to a value.
///
/// Validators run on the parser's queue, never on the transport's thread.
///
/// The article <doc:ServerErrors> has samples.
public struct ResponseValidator: Sendable {
  private let check: @Sendable (WebServiceResponse, JSONDecoder) throws -> Void

  /// Creates a validator.
  ///
  /// - Parameter check: throws your own error to refuse the response. It runs where the parser runs. The completion
  ///   gets a ``WebServiceError`` of the kind `.statusCode`, or `.invalidResponse` for a status of 200...299. It
  ///   contains the response, and your error underneath (`underlying(as:)`).
  public init(_ check: @escaping @Sendable (WebServiceResponse) throws -> Void) {
    self.check = { response, _ in try check(response) }
  }

  /// Creates a validator that gets a JSON decoder, to decode the body of an error.
  ///
  /// - Parameter check: throws your own error to refuse the response. It gets the decoder of the request or the
  ///   configuration, and runs where the parser runs. The completion gets the same ``WebServiceError`` as with the form
  ///   without a decoder.
  public init(_ check: @escaping @Sendable (WebServiceResponse, JSONDecoder) throws -> Void) { self.check = check }

  /// Throws if the response is refused.
  ///
  /// - Parameters:
  ///   - response: the response to check.
  ///   - decoder: the decoder that the validator's closure gets.
  /// - Throws: the error of the validator.
  public func validate(_ response: WebServiceResponse, decoder: JSONDecoder = JSONDecoder()) throws {
    try check(response, decoder)
  }

  /// Accepts statuses of 200...299.
  public static let successfulStatus = statusCodes(200...299)

  /// Accepts these statuses.
  public static func statusCodes(_ range: ClosedRange<Int>) -> ResponseValidator {
    ResponseValidator { response in
      guard range.contains(response.statusCode) else { throw ResponseValidationError.statusCode(response.statusCode) }
    }
  }

  /// Accepts bodies of some media types. A response without a body is accepted too. The body of a stream or a download
  /// comes after its head, which has no body if it says so: by the status 204 or a `Content-Length` of 0.
  ///
  /// - Parameter ranges: the media types. `*` stands for any, as in `image/*`. A text that isn't a media type matches
  ///   nothing, and a body without a `Content-Type` is refused.
  public static func contentTypes(_ ranges: String...) -> ResponseValidator {
    // A range that isn't a media type matches nothing.
    let accepted = ranges.compactMap(HTTPHeaders.MediaType.init)
    return ResponseValidator { response in
      let hasBody = response.isHead && response.statusCode != 204 && response.headers["Content-Length"] != "0"
      guard hasBody || !response.body.isEmpty else { return }
      let type = response.headers["Content-Type"]
      let media = type.flatMap { HTTPHeaders.MediaType($0) }
      guard let media, accepted.contains(where: { $0.matches(media) }) else {
        throw ResponseValidationError.contentType(type, accepted: ranges)
      }
    }
  }

  /// Decodes the server's error model and maps it to your own error.
  ///
  /// ```swift
  /// .serverErrors(MenuServerError.self, otherwise: MenuError.unknown) { body, response in
  ///   response.statusCode == 401 ? MenuError.unauthorized(body) : MenuError.refused(body)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: the model of an error's body. In a module of the main actor, declare it `nonisolated`.
  ///   - statusCodes: the statuses of errors.
  ///   - fallback: thrown for a body of another type; `nil` leaves such a response to the next validator.
  ///   - makeError: makes your error. It runs where the parser runs.
  public static func serverErrors<Body: Decodable & Sendable>(
    _ type: Body.Type, statusCodes: ClosedRange<Int> = 400...599, otherwise fallback: (any Error)? = nil,
    makeError: @escaping @Sendable (Body, WebServiceResponse) -> any Error
  ) -> ResponseValidator {
    ResponseValidator { response, decoder in
      guard statusCodes.contains(response.statusCode) else { return }
      guard let body = try? FeatherJSONDecoder(decoder).decode(type, from: response.body) else {
        if let fallback { throw fallback }
        return
      }
      throw makeError(body, response)
    }
  }

  /// Reads the server's own error model, which is the app's error itself.
  ///
  /// ```swift
  /// struct APIError: Error, Decodable { var code: Int }
  /// configuration.validators = [.serverErrors(APIError.self), .successfulStatus]
  /// ```
  ///
  /// - Parameters:
  ///   - type: the error that the body of an error decodes as.
  ///   - statusCodes: the statuses of errors.
  ///   - fallback: thrown where the body isn't of that type; `nil` leaves such a response to the next validator.
  public static func serverErrors<Failure: Error & Decodable>(
    _ type: Failure.Type, statusCodes: ClosedRange<Int> = 400...599, otherwise fallback: (any Error)? = nil
  ) -> ResponseValidator { serverErrors(type, statusCodes: statusCodes, otherwise: fallback) { error, _ in error } }
}

/// The reason for which one of the library's validators refused a response.
enum ResponseValidationError: DescribedByLibrary, Hashable {
  case statusCode(Int)
  /// The first value is the type that the server sent.
  case contentType(String?, accepted: [String])

  /// The refusal in words for developers.
  var description: String {
    switch self {
    case .statusCode(let code): "the status \(code) isn't accepted"
    case .contentType(let type, let accepted):
      "the body is \(type ?? "of no named type"), not \(accepted.joined(separator: " or "))"
    }
  }
}
