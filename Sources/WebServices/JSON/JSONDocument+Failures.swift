import Foundation

extension JSONDocument {
  /// The error of a value that can't be decoded as this type, in Foundation's words.
  ///
  /// - Parameter key: the key with which the member was requested.
  @inline(never)
  func failure(_ type: Any.Type, _ step: JSONStep, _ key: (any CodingKey)? = nil) -> DecodingError {
    var path = path(step)
    // Foundation's path ends with the caller's own key, which may be more than a name.
    if let key, !path.isEmpty { path[path.count - 1] = key }
    let node = node(step.index)
    let isNumber = node.kind == .integer || node.kind == .number
    let isString = node.kind == .ascii || node.kind == .unicode || node.kind == .escaped
    // Foundation reports a null in the place of a `Bool` as a mismatch.
    if node.kind == .null, type != Bool.self {
      return .valueNotFound(
        type, .init(codingPath: path, debugDescription: "Cannot get value of type \(type) -- found null value instead"))
    }
    if isString, type == String.self { return invalid() }
    if isNumber, type is any Numeric.Type {
      guard JSONNumber(bytes + node.offset, node.length) != nil else { return invalid() }
      return .dataCorrupted(
        .init(codingPath: path, debugDescription: "Number \(text(node).prefix(64)) is not representable in \(type)."))
    }
    // Foundation has no words for a `Decimal`.
    let words = type == Decimal.self ? "" : mismatch(type, node.kind)
    return .typeMismatch(type, .init(codingPath: path, debugDescription: words))
  }

  func corrupted(_ step: JSONStep, _ words: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: path(step), debugDescription: words))
  }

  /// The error of a malformed string, which only decoding its text reveals.
  func invalid() -> DecodingError { .invalidJSON }

  /// The error if the model requests a container, and the value isn't one.
  func noContainer(_ type: Any.Type, _ word: String, _ step: JSONStep) -> DecodingError {
    let kind = kind(step.index)
    let path = path(step)
    return kind == .null
      ? .valueNotFound(
        type,
        .init(codingPath: path, debugDescription: "Cannot get \(word) decoding container -- found null value instead"))
      : .typeMismatch(type, .init(codingPath: path, debugDescription: mismatch(type, kind)))
  }

  private func mismatch(_ type: Any.Type, _ kind: JSONNode.Kind) -> String {
    let found =
      switch kind {
      case .null, .end: "null"
      case .true, .false: "bool"
      case .integer, .number: "number"
      case .ascii, .unicode, .escaped, .name, .oddName: "a string"
      case .array: "an array"
      case .object, .oddObject: "a dictionary"
      }
    return "Expected to decode \(type) but found \(found) instead."
  }
}

extension DecodingError {
  static var invalidJSON: DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "The given data was not valid JSON."))
  }
}
