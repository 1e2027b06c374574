package import Foundation

/// An error of the library, whose own description appears in the description of a `WebServiceError`, and as its
/// `localizedDescription`. Of any other error only its `ErrorName` is shown.
package protocol DescribedByLibrary: LocalizedError, CustomStringConvertible {
  /// The error in words, without the values that the redaction names.
  func description(redaction: Redaction) -> String
}

extension DescribedByLibrary {
  /// The error's type and description, after the redaction has hidden secrets.
  package func description(redaction: Redaction) -> String { "\(type(of: self)): \(redaction.text(description))" }
  /// Equal to `description`.
  public var errorDescription: String? { description }
}
