extension ResponseValidator {
  /// Takes statuses of 200...299.
  public static let successfulStatus = statusCodes(200...299)

  /// Takes these statuses; anything else fails as `ResponseValidationError.statusCode`.
  public static func statusCodes(_ range: ClosedRange<Int>) -> ResponseValidator {
    ResponseValidator { response in
      guard range.contains(response.statusCode) else {
        throw ResponseValidationError.statusCode(response.statusCode)
      }
    }
  }

  /// Takes a body of one of these media types, `*` standing for any (`image/*`), and an answer without a body.
  public static func contentTypes(_ ranges: String...) -> ResponseValidator {
    let accepted = ranges.compactMap(MediaType.init)
    return ResponseValidator { response in
      guard !response.body.isEmpty else { return }
      let type = response.headers["Content-Type"]
      let media = type.flatMap { MediaType($0) }
      guard let media, accepted.contains(where: { $0.matches(media) }) else {
        throw ResponseValidationError.contentType(type, accepted: ranges)
      }
    }
  }

  /// Takes bodies of at most so many bytes. It spares the app the decoding, not the network the bytes: that does the
  /// configuration's `responseLimit`.
  public static func bodySize(upTo limit: Int) -> ResponseValidator {
    ResponseValidator { response in
      guard response.body.count <= limit else {
        throw ResponseValidationError.bodySize(response.body.count, limit: limit)
      }
    }
  }

  /// Reads the server's own error model and makes an error of the app's of it.
  ///
  /// ```swift
  /// .serverErrors(MenuServerError.self, otherwise: MenuError.unknown) { body, response in
  ///   response.statusCode == 401 ? MenuError.unauthorized(body) : MenuError.refused(body)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: what the body of an error decodes as.
  ///   - statusCodes: which answers are errors.
  ///   - fallback: thrown where the body isn't of that type; `nil` leaves such an answer to the next validator.
  ///   - makeError: makes the error.
  public static func serverErrors<Body: Decodable & Sendable>(
    _ type: Body.Type, statusCodes: ClosedRange<Int> = 400...599, otherwise fallback: (any Error)? = nil,
    makeError: @escaping @Sendable (Body, WebServiceResponse) -> any Error
  ) -> ResponseValidator {
    ResponseValidator { response, decoder in
      guard statusCodes.contains(response.statusCode) else { return }
      guard let body = try? decoder.decode(type, from: response.body) else {
        if let fallback { throw fallback }
        return
      }
      throw makeError(body, response)
    }
  }
}
