/// Why a request's body can't be made or sent.
///
/// An error that is found when the request is described is below a ``WebServiceError`` of kind `.invalidRequest`. An
/// error that is found while the body is sent is below a ``TransportError`` of kind `.file`.
public struct RequestBodyError: DescribedByLibrary, Hashable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// A URL isn't a file URL, or names a directory or another item that isn't a regular file.
    case notRegularFile
    /// A file doesn't exist.
    case missingFile
    /// A file can't be opened or read.
    case unreadableFile
    /// A file has changed since the request was described.
    case changedFile
    /// A stream has more or fewer bytes than it said.
    case wrongLength
    /// A part of a multipart body can't be written: its name, file name or type has characters that may not be sent.
    case invalidPart
    /// The system's compression failed.
    case compression
  }

  /// What is wrong.
  public let reason: Reason
  /// What is wrong, in words for developers; of a file it has the name without its folders.
  public let description: String

  package init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }
}
