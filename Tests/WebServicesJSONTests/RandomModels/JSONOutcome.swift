package import Foundation
import WebServices

/// The outcome of decoding, for comparing two decoders.
package enum JSONOutcome: Equatable, CustomStringConvertible {
  case value(String)
  /// A `DecodingError`: its kind with the expected type or the missing key, and its coding path.
  case failure(kind: String, path: [String])
  case otherError(String)

  package init(_ decode: () throws -> Any) {
    do {
      self = .value(Self.text(try decode()))
    } catch let error as DecodingError {
      switch error {
      case .typeMismatch(let type, let context): self = .failure(kind: "not \(type)", path: Self.words(context))
      case .valueNotFound(let type, let context): self = .failure(kind: "no \(type)", path: Self.words(context))
      case .keyNotFound(let key, let context):
        self = .failure(kind: "no key \(key.stringValue) \(key.intValue ?? -1)", path: Self.words(context))
      case .dataCorrupted(let context): self = .failure(kind: "corrupt", path: Self.words(context))
      @unknown default: self = .otherError("\(error)")
      }
    } catch {
      self = .otherError("\(error)")
    }
  }

  /// The value as text, with the members of dictionaries and sets sorted.
  static func text(_ value: Any) -> String {
    // Foundation traps when it describes a date that isn't a number.
    if let date = value as? Date { return "\(date.timeIntervalSince1970)" }
    if let data = value as? Data { return data.base64EncodedString() }
    if let members = value as? [AnyHashable: Any] {
      return "\(members.map { "\($0.key): \(text($0.value))" }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })"
    }
    if let elements = value as? [Any] { return "\(elements.map(text))" }
    if let elements = value as? Set<AnyHashable> { return "\(elements.map { "\($0)" }.sorted())" }
    return "\(value)"
  }

  /// The names and numbers of the keys in a coding path.
  package static func words(_ path: [any CodingKey]) -> [String] {
    path.map { "\($0.stringValue.unicodeScalars.map(\.description).joined())\($0.intValue.map { " \($0)" } ?? "")" }
  }

  private static func words(_ context: DecodingError.Context) -> [String] { words(context.codingPath) }

  /// Whether the library's decoder may have this outcome when Foundation's has the other one.
  ///
  /// Foundation omits the coding path of a number that doesn't fit its type. For a date that isn't in ISO 8601 it gives
  /// the path of the container.
  package func isAllowed(besides other: JSONOutcome) -> Bool {
    if self == other { return true }
    guard case .failure("corrupt", let path) = self, case .failure("corrupt", let other) = other else { return false }
    return path.starts(with: other)
  }

  package var isFailure: Bool {
    if case .failure = self { return true }
    return false
  }

  package var description: String {
    switch self {
    case .value(let value): "value \(value)"
    case .failure(let kind, let path): "failure: \(kind) at \(path)"
    case .otherError(let error): "error \(error)"
    }
  }
}

/// Decodes with both decoders, from the same bytes and with the same settings.
///
/// Foundation refuses UTF-32 in little-endian order with a byte order mark, because it takes the mark for that of
/// UTF-16. Such a document is skipped.
///
/// - Returns: the difference; `nil` if both agree.
package func jsonDifference<Value: Decodable>(
  _ type: Value.Type, _ data: Data, _ settings: JSONDecoder = JSONDecoder(), hasOrder: Bool = true
) -> String? {
  if data.starts(with: [0xFF, 0xFE, 0, 0]) { return nil }
  let theirs = JSONOutcome { try settings.decode(type, from: data) }
  let ours = JSONOutcome { try FeatherJSONDecoder(settings).decode(type, from: data) }
  guard !ours.isAllowed(besides: theirs), hasOrder || !ours.isFailure || !theirs.isFailure else { return nil }
  return "\(type) of \(String(decoding: data.prefix(400), as: UTF8.self)): \(ours), where Foundation has \(theirs)"
}
