/// Which header fields carry somebody's credentials. An object, since it is handed on with every request that a cache is
/// asked about.
final class CredentialFields: Sendable {
  private let redaction: Redaction
  /// Fields that nearly every request has and that the redaction doesn't hide: found out once, since it isn't cheap.
  private let harmless: [String]

  init(redaction: Redaction) {
    self.redaction = redaction
    harmless = ["Accept", "Content-Type", "User-Agent", "Accept-Language"].filter { !redaction.hides(header: $0) }
  }

  /// - Parameter names: more fields that do.
  func contain(_ name: String, or names: [String]) -> Bool {
    if names.contains(where: { $0.equalsIgnoringASCIICase(name) }) { return true }
    return !harmless.contains(name) && redaction.hides(header: name)
  }
}
