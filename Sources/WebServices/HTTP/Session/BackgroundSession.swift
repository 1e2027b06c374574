import Foundation

/// A background session, which takes no task with a completion handler: Foundation ends the process.
package enum BackgroundSession {
  /// The error of each request over a session of this configuration; `nil` unless it is a background session.
  ///
  /// - Parameter identifier: the identifier of the session's configuration.
  package static func refusal(identifier: String?) -> TransportError? {
    identifier.map {
      .invalid("\($0) is a background session; use one of another configuration, such as .webServices")
    }
  }
}
