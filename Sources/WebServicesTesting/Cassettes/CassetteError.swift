/// The error of reading, writing or recording a cassette.
public enum CassetteError: Error, Hashable, Sendable {
  /// The file can't be read or written, or isn't a regular file. Contains the path and the system's reason.
  case unreadable(path: String, reason: String)
  /// The file isn't a valid cassette. Contains the place and the reason.
  case damaged(String)
  /// The file has a version that this library doesn't support.
  case unsupportedVersion(Int)
  /// The recording or the file exceeds the limit, in bytes.
  case tooLarge(limit: Int)
}

extension CassetteError: CustomStringConvertible {
  /// The reason as a sentence for developers.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "the cassette \(path) can't be read or written: \(reason)"
    case .damaged(let reason): "the cassette is damaged: \(reason)"
    case .unsupportedVersion(let version): "the cassette has version \(version), which this library can't read"
    case .tooLarge(let limit): "the cassette exceeds the limit of \(limit) bytes"
    }
  }
}
