package import Foundation

/// Checks that every transport makes, because it can be called directly.
extension TransportRequest {
  /// Throws if the method or a header field contains a character that isn't allowed, such as a line end.
  package func checkHead() throws(TransportError) {
    guard !isHeadChecked else { return }
    guard method.isValid else { throw .invalid("the method contains a character that isn't allowed") }
    if headers.firstInvalidField != nil {
      throw .invalid("the name or the value of a header field contains characters that aren't allowed")
    }
  }
}

extension TransportRequest.Timeouts {
  /// Half a year. A transport counts a longer timeout as none, so that sums of times never overflow. Foundation would
  /// trap on some, and the engine refuses them.
  package static let longest: TimeInterval = 15_768_000

  /// Combines these timeouts with the defaults. A timeout of half a year or more counts as no timeout.
  package func checked(defaults: TransportRequest.Timeouts = TransportRequest.Timeouts()) throws(TransportError)
    -> TransportRequest.Timeouts
  {
    TransportRequest.Timeouts(
      connect: try Self.checked(connect ?? defaults.connect), idle: try Self.checked(idle ?? defaults.idle))
  }

  private static func checked(_ seconds: TimeInterval?) throws(TransportError) -> TimeInterval? {
    guard let seconds else { return nil }
    guard seconds.isFinite, seconds > 0 else {
      throw .invalid("a timeout is \(seconds) s; use a finite value greater than 0")
    }
    return seconds < longest ? seconds : nil
  }
}

extension TransportRequest: DescriptionOnly {
  /// The method, the URL, the header fields and the size of the body, without secrets (``Redaction/standard``) and
  /// without the credentials that the engine attached.
  public var description: String {
    let redaction = Redaction.standard.hiding(secretsOf: [self])
    return "\(method) \(redaction.url(address)), headers \(redaction.headers(headers)), body: \(body)"
  }
}
