import Foundation

/// What every transport checks: the engine has done so already, but a transport can be called directly.
extension TransportRequest {
  /// Refuses a method and header fields that would end their line.
  func checkHead() throws(TransportError) {
    guard method.isValid else { throw .invalid("the method is no token") }
    if headers.firstInvalidField != nil {
      throw .invalid("the name or the value of a header field has characters that may not be sent")
    }
  }

  /// The parsed URL of a request that a transport is given.
  func checkedTarget() throws(TransportError) -> HTTPURL {
    guard let target else { throw .invalid("the URL is no absolute http or https URL that can be sent") }
    return target
  }
}

extension TransportTimeouts {
  /// A year: as good as no limit.
  static let longest: TimeInterval = 365 * 86_400

  /// The seconds of a timeout; a year or more is no limit.
  static func checked(_ seconds: TimeInterval?) throws(TransportError) -> TimeInterval? {
    guard let seconds else { return nil }
    guard seconds.isFinite, seconds > 0 else { throw .invalid("a timeout is not finite and positive") }
    return seconds < longest ? seconds : nil
  }

  /// These timeouts where they are set, else the others.
  func checked(defaults: TransportTimeouts = TransportTimeouts()) throws(TransportError) -> TransportTimeouts {
    TransportTimeouts(
      connect: try Self.checked(connect ?? defaults.connect), idle: try Self.checked(idle ?? defaults.idle),
      whole: try Self.checked(whole ?? defaults.whole))
  }
}

extension TransportError {
  /// The error of a request that is refused before anything is sent.
  static func invalid(_ message: String) -> TransportError {
    TransportError(.invalidRequest, message: message, mayHaveReachedServer: false)
  }
}
