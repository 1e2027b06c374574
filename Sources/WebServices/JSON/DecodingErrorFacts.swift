import Foundation

/// The facts of a `DecodingError`, in a form that doesn't depend on which Foundation made it.
package struct DecodingErrorFacts: Sendable {
  package let path: [any CodingKey]
  /// The expected type in words, such as `a string`.
  package var expected: String?
  /// The decoder's own description.
  package let explanation: String
  package let underlying: (any Error)?
  /// The key that is missing in the value at the path.
  var missingKey: String?
  /// A value can't be used, or the document is broken.
  var isAboutContent = false

  package init(_ error: DecodingError) {
    let context: DecodingError.Context
    switch error {
    case .typeMismatch(let type, let place), .valueNotFound(let type, let place):
      (context, expected) = (place, Self.words(for: type))
    case .keyNotFound(let key, let place):
      (context, missingKey) = (place, key.stringValue)
      expected = "the key \"\(key.stringValue.shortened(to: 64))\""
    case .dataCorrupted(let place): (context, isAboutContent) = (place, true)
    @unknown default: context = DecodingError.Context(codingPath: [], debugDescription: "\(error)")
    }
    path = context.codingPath
    explanation = context.debugDescription
    underlying = context.underlyingError
  }

  /// The path with indexes in brackets. A missing key is the last element.
  package var pathInWords: [String] {
    path.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue } + (missingKey.map { [$0] } ?? [])
  }

  /// The type's name in JSON. Foundation names a dictionary, or one of its containers, when it means an object.
  private static func words(for type: Any.Type) -> String {
    // Swift can't match a generic type with unknown parameters, so the names are compared.
    let name = String(describing: type)
    if name.hasPrefix("Dictionary<") || name.hasPrefix("KeyedDecodingContainer") { return "an object" }
    if name.hasPrefix("Array<") || name.hasPrefix("Set<") || name.hasPrefix("UnkeyedDecodingContainer") {
      return "an array"
    }
    return switch type {
    case is String.Type: "a string"
    case is Bool.Type: "a boolean"
    case is any BinaryInteger.Type: "a whole number (\(name))"
    case is Double.Type, is Float.Type, is Decimal.Type: "a number"
    default: "a value for \(name.shortened(to: 64))"
    }
  }
}
