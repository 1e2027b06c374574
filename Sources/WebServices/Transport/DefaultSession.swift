import Foundation

/// Makes the session of a service that is given none. That is ``CurlSession`` on Linux if a usable libcurl is found,
/// and ``FoundationSession`` otherwise. Call ``make(_:)``, and log the ``description``.
public struct DefaultSession: Sendable, CustomStringConvertible {
  /// The session, new and with nothing opened yet.
  public let session: any URLSessionProtocol
  /// The kind of the session and the reason for this kind, in one line for a log.
  public let description: String

  /// Makes a session of the best kind that this machine has, which keeps every setting of a configuration.
  ///
  /// - Throws: the first setting that can't be used, or that the session can't keep on this system.
  public static func make(
    _ configuration: TransportConfiguration = TransportConfiguration()
  ) throws(TransportConfiguration.InvalidSetting) -> DefaultSession {
    #if os(Linux)
      switch CurlLibrary.found {
      case .success(let library):
        try configuration.check()
        let session = CurlSession(configuration, library: library)
        return DefaultSession(session: session, description: "CurlSession on \(library.description)")
      case .failure(let reason): return try foundation(configuration, because: reason.description)
      }
    #else
      return try foundation(configuration, because: "it is this system's own")
    #endif
  }

  static func foundation(
    _ configuration: TransportConfiguration, because reason: String
  ) throws(TransportConfiguration.InvalidSetting) -> DefaultSession {
    DefaultSession(
      session: try FoundationSession(configuration: configuration), description: "FoundationSession: \(reason)")
  }

  /// Whether the session lacks what the usual one of this system has.
  package var isFallback: Bool { Platform.foundation == .openSource && session is FoundationSession }

  /// The session of a service. If no session supports the configuration, the result refuses every request.
  package static func ofService(_ configuration: TransportConfiguration) -> DefaultSession {
    do throws(TransportConfiguration.InvalidSetting) { return try make(configuration) } catch {
      let refusal = TransportError.unsent(.invalidRequest, error.description, cause: error)
      let session = FoundationSession(settings: FoundationSettings(.webServices, refusal: refusal))
      return DefaultSession(session: session, description: "FoundationSession: \(error)")
    }
  }
}
