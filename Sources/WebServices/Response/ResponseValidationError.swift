/// Why one of the library's own validators refused an answer.
public enum ResponseValidationError: Error, Hashable, Sendable {
  /// The status is none of those that are taken.
  case statusCode(Int)
  /// The body's type, as the server named it, is none of those that are taken.
  case contentType(String?, accepted: [String])
  /// The body has more bytes than are taken.
  case bodySize(Int, limit: Int)
}

extension ResponseValidationError: CustomStringConvertible {
  /// What was refused, in words for developers.
  public var description: String {
    switch self {
    case .statusCode(let code): "the status \(code) isn't accepted"
    case .contentType(let type, let accepted):
      "the body is \(type ?? "of no named type"), not \(accepted.joined(separator: " or "))"
    case .bodySize(let size, let limit): "the body has \(size) bytes, more than \(limit)"
    }
  }
}
