public import WebServicesCore

/// The error of reading, writing or recording a cassette.
public enum CassetteError: DescribedByLibrary, Hashable, Sendable {
  /// The file can't be read or written, or isn't a regular file. Contains the path and the system's reason.
  case unreadable(path: String, reason: String)
  /// The file isn't HAR 1.2, such as a cassette of an earlier form. Contains the place and the reason.
  case damaged(String)
  /// The test didn't send all recorded requests. Contains the requests that are left.
  case unused([String])
  /// The recording or the file exceeds the limit, in bytes.
  case tooLarge(limit: Int)
}

extension CassetteError {
  /// The reason as a sentence for developers.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "the cassette \(path) can't be read or written: \(reason)"
    case .damaged(let reason):
      "the cassette isn't HAR 1.2: \(reason); delete the file and record it again, or export it again as HAR"
    case .unused(let requests):
      "the test didn't send \(requests.joined(separator: ", ")); if that is right, delete the file and record it again"
    case .tooLarge(let limit): "the cassette exceeds the limit of \(limit) bytes"
    }
  }
}
