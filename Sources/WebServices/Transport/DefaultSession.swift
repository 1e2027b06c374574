import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The session of a service that is given none: `CurlSession` on Linux wherever a fitting libcurl is found, else
/// `FoundationSession`.
public struct DefaultSession: Sendable, CustomStringConvertible {
  /// The session, new and with nothing opened yet.
  public let session: any URLSessionProtocol
  /// Which of the two it is and why, in one line for a log.
  public let description: String

  /// Makes a session of the best kind that this machine has.
  public static func make() -> DefaultSession {
    #if os(Linux)
      switch CurlLibrary.found {
      case .success(let library):
        let session = CurlSession(CurlSessionConfiguration(), features: library.features)
        return DefaultSession(session: session, description: "CurlSession on \(library.description)")
      case .failure(let reason):
        return foundation(because: reason.description)
      }
    #else
      return foundation(because: "it is this system's own")
    #endif
  }

  static func foundation(because reason: String) -> DefaultSession {
    DefaultSession(session: FoundationSession(), description: "FoundationSession: \(reason)")
  }
}
