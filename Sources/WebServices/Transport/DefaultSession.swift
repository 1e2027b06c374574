import Foundation

/// Makes the session of a service that is given none. That is ``CurlSession`` on Linux if a usable libcurl is found,
/// and ``FoundationSession`` otherwise. Call ``make()``, and log the ``description``.
public struct DefaultSession: Sendable, CustomStringConvertible {
  /// The session, new and with nothing opened yet.
  public let session: any URLSessionProtocol
  /// The kind of the session and the reason for this kind, in one line for a log.
  public let description: String

  /// Makes a session of the best kind that this machine has.
  public static func make() -> DefaultSession {
    #if os(Linux)
      switch CurlLibrary.found {
      case .success(let library): curl(TransportConfiguration(), library)
      case .failure(let reason): foundation(FoundationSession(), because: reason.description)
      }
    #else
      foundation(FoundationSession(), because: systemReason)
    #endif
  }

  /// Makes a session of the best kind that this machine has, which keeps every setting of a configuration.
  ///
  /// - Throws: the first setting that can't be used, or that the session can't keep on this system.
  public static func make(_ configuration: TransportConfiguration) throws(TransportConfigurationError) -> DefaultSession
  {
    #if os(Linux)
      switch CurlLibrary.found {
      case .success(let library):
        try configuration.check()
        return curl(configuration, library)
      case .failure(let reason):
        return foundation(try FoundationSession(configuration: configuration), because: reason.description)
      }
    #else
      return foundation(try FoundationSession(configuration: configuration), because: systemReason)
    #endif
  }

  /// The session of a service. If no session supports the configuration, the result refuses every request.
  package static func session(_ configuration: TransportConfiguration) -> any URLSessionProtocol {
    do throws(TransportConfigurationError) { return try make(configuration).session } catch {
      return RefusingSession(reason: error)
    }
  }

  private static let systemReason = "it is this system's own"

  static func foundation(_ session: FoundationSession, because reason: String) -> DefaultSession {
    DefaultSession(session: session, description: "FoundationSession: \(reason)")
  }

  #if os(Linux)
    private static func curl(_ configuration: TransportConfiguration, _ library: CurlLibrary) -> DefaultSession {
      let session = CurlSession(configuration, features: library.features)
      return DefaultSession(session: session, description: "CurlSession on \(library.description)")
    }
  #endif
}
