public import Foundation

extension RequestBody {
  private static let formType = "application/x-www-form-urlencoded"

  /// A form, written by the rules of WHATWG URL, section 5.2. An item without a value gets an empty one.
  public static func form(_ items: [URLQueryItem]) -> RequestBody {
    RequestBody(contentType: formType) { _ in Content(body: .data(formData(items))) }
  }

  /// A form of any encodable value that has keys.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - encoder: how arrays, nested values, dates and booleans are written; `nil` means as the configuration's
  ///     `queryEncoder` does. A value that it can't write ends the request with an error of kind `.invalidRequest`.
  public static func form(_ value: some Encodable & Sendable, encoder: QueryEncoder? = nil) -> RequestBody {
    RequestBody(contentType: formType) { encoders in
      Content(body: .data(formData(try (encoder ?? encoders.query).encode(value))))
    }
  }

  private static func formData(_ items: [URLQueryItem]) -> Data {
    let complete = items.map { URLQueryItem(name: $0.name, value: $0.value ?? "") }
    return Data(QueryEscaping.form.query(of: complete).utf8)
  }
}
