import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The session that a service makes for itself where none is injected: `CurlSession` on Linux wherever a libcurl is
/// found that can drive it, else `FoundationSession` over Foundation's `URLSession`.
public struct DefaultSession: Sendable {
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
    DefaultSession(
      session: FoundationSession(), description: "FoundationSession: \(reason)")
  }
}

extension DefaultSession: CustomStringConvertible {}
