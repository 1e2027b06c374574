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
    // Foundation reports a null in the place of a `Bool` as a mismatch.
    if node.kind == .null, type != Bool.self {
      return .valueNotFound(
        type, .init(codingPath: path, debugDescription: "Cannot get value of type \(type) -- found null value instead"))
    }
    if node.isText, type == String.self { return .invalidJSON }
    if node.isNumber, type is any Numeric.Type {
      guard JSONNumber(bytes + node.offset, node.length) != nil else { return .invalidJSON }
      return .dataCorrupted(
        .init(codingPath: path, debugDescription: "Number \(text(node).prefix(64)) is not representable in \(type)."))
    }
    let found =
      switch node.kind {
      case .null, .end: "null"
      case .true, .false: "bool"
      case .integer, .number: "number"
      case .ascii, .unicode, .escaped, .name, .oddName: "a string"
      case .array: "an array"
      case .object, .oddObject: "a dictionary"
      }
    return .typeMismatch(
      type, .init(codingPath: path, debugDescription: "Expected to decode \(type) but found \(found) instead."))
  }

  func corrupted(_ step: JSONStep, _ words: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: path(step), debugDescription: words))
  }
}

extension DecodingError {
  static var invalidJSON: DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "The given data was not valid JSON."))
  }
}
