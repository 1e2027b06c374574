public import Foundation

extension ResponseParser where Value: Decodable {
  /// JSON of any decodable type. An answer without a body is none; `.json(Model.self).optional()` takes it for `nil`.
  ///
  /// - Parameters:
  ///   - type: the type of the model.
  ///   - decoder: `nil` means the one of the request or the configuration.
  public static func json(_ type: Value.Type = Value.self, decoder: JSONDecoder? = nil) -> ResponseParser {
    ResponseParser(accept: "application/json") { response, common in
      try (decoder ?? common).decode(type, from: response.body)
    }
  }
}

extension ResponseParser where Value == Data {
  /// The bytes as they came, after decompression.
  public static var data: ResponseParser {
    ResponseParser { response in response.body }
  }
}

extension ResponseParser where Value == Void {
  /// Nothing: whatever the body is, it isn't looked at.
  public static var nothing: ResponseParser {
    ResponseParser { _ in }
  }
}

extension ResponseParser where Value == WebServiceResponse {
  /// Status, headers and bytes as they came.
  public static var response: ResponseParser {
    ResponseParser { response in response }
  }
}
