/// Why a cassette can't be read or recorded.
public enum CassetteError: Error, Hashable, Sendable {
  /// There is no file, or no regular one, or it may not be read or written: its path and the system's reason.
  case unreadable(path: String, reason: String)
  /// The file isn't a cassette: where in it, and what is wrong.
  case damaged(String)
  /// The file was written by a version of the library that knows more.
  case unsupportedVersion(Int)
  /// There is more to record or to read than the limit, in bytes.
  case tooLarge(limit: Int)
}

extension CassetteError: CustomStringConvertible {
  /// The reason in a sentence, for developers.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "the cassette \(path) can't be read or written: \(reason)"
    case .damaged(let reason): "the cassette is damaged: \(reason)"
    case .unsupportedVersion(let version): "the cassette has the version \(version), which isn't known"
    case .tooLarge(let limit): "the cassette has more than \(limit) bytes"
    }
  }
}
