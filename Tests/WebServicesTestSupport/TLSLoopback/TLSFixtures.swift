/// Certificates for tests, valid from 2019 to 2119, and the scripts of helper processes, in the folder `Tests/TLS`.
/// Apple's systems reject newer certificates with a long lifetime. The private keys are public, so only tests may trust
/// these certificates.
enum TLSFixtures {
  /// The folder.
  static let folder = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    .appendingPathComponent("TLS").path
  /// The certificate of the authority that signed all others.
  static let authority = path("authority.pem")
  /// A client's certificate with its key. `client.p12` and `client-encrypted.pem` have the password `feather`.
  static let client = path("client.pem")

  /// The path of a file.
  static func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// The SHA-256 digest of the servers' public key, in Base64, for pinning.
  static let publicKeyDigest = "drwFuLe+mFnIEebz+mvL4ptfCigMBbUoU7yFBVesJ+0="
}
