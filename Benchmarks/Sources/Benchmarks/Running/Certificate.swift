import Foundation

/// A new self-signed certificate for this machine, and its key. Contenders trust only this certificate.
struct Certificate {
  /// The names of the files in PEM.
  static let (certificateName, keyName) = ("certificate.pem", "key.pem")

  /// The path of the certificate in PEM.
  let path: String

  /// Makes both files with the `openssl` command; `nil` if the machine doesn't have it.
  init?(in directory: URL) {
    let certificate = directory.appendingPathComponent(Self.certificateName)
    let arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
      "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
      "-keyout", directory.appendingPathComponent(Self.keyName).path, "-out", certificate.path,
    ]
    guard Tool("openssl")?.messages(of: arguments) != nil else { return nil }
    path = certificate.path
  }
}
