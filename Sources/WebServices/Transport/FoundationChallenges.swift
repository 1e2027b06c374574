import Foundation

/// Decides how a `FoundationSession` answers the challenges of servers and proxies, as its `TransportConfiguration`
/// says. Only Apple's Foundation takes such answers: see `FoundationChallenges+Security.swift`.
///
/// The values are kept as bytes. Objects of the Security framework are made when a connection needs them.
struct FoundationChallenges: Sendable {
  /// What a challenge asks for.
  enum Kind {
    /// Whether the server's certificate is trusted.
    case serverTrust
    case clientCertificate
    /// The credentials of a server or a proxy. `failureCount` counts the answers that were refused before.
    case password(isProxy: Bool, failureCount: Int)
  }

  enum Answer: Equatable {
    /// The system decides.
    case system
    /// The challenge's response becomes the response of the transfer.
    case reject
    /// The certificate is compared with `anchors` and `pins`.
    case checkTrust
    /// The certificate and key of `identity`.
    case identity
    case user(String, password: String)
  }

  /// Certificates in DER that replace the system's trusted ones.
  private(set) var anchors: [Data]?
  /// The digests of the public keys that a server may have; empty for any.
  private(set) var pins: Set<Data> = []
  /// The bytes of a PKCS #12 file and its password.
  private(set) var identity: (file: Data, password: String)?
  private var proxyUser: (name: String, password: String)?

  init() {}

  init(_ configuration: TransportConfiguration) throws(TransportConfigurationError) {
    pins = Set(try configuration.pinnedDigests)
    if case .file(let path) = configuration.trust { anchors = try Self.certificates(at: path) }
    if case .pkcs12(let path, let password) = configuration.clientCertificate {
      identity = (FileManager.default.contents(atPath: path) ?? Data(), password)
    }
    if case .url(let url) = configuration.proxy, let address = ProxyAddress(url), let user = address.user {
      proxyUser = (user, address.password ?? "")
    }
  }

  func answer(to kind: Kind) -> Answer {
    switch kind {
    case .serverTrust: return anchors != nil || !pins.isEmpty ? .checkTrust : .system
    case .clientCertificate: return identity != nil ? .identity : .system
    // The engine decides about credentials of a server, when it sees the 401.
    case .password(isProxy: false, _): return .reject
    case .password(isProxy: true, let failureCount):
      // A second challenge means that the proxy has refused the user, and it would refuse the same answer again.
      guard let proxyUser, failureCount == 0 else { return .system }
      return .user(proxyUser.name, password: proxyUser.password)
    }
  }

  /// Whether a server with this certificate, in DER, has one of the pinned keys.
  func isPinned(_ certificate: Data) -> Bool {
    pins.isEmpty || PublicKeyInfo.bytes(of: certificate).map { pins.contains(Data(SHA256.hash($0))) } ?? false
  }

  /// The certificates of a file in PEM, in DER.
  private static func certificates(at path: String) throws(TransportConfigurationError) -> [Data] {
    let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let certificates = text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().compactMap { part in
      part.range(of: "-----END CERTIFICATE-----").flatMap { end in
        Data(base64Encoded: String(part[..<end.lowerBound]), options: .ignoreUnknownCharacters)
      }
    }
    guard !certificates.isEmpty, certificates.allSatisfy({ PublicKeyInfo.bytes(of: $0) != nil }) else {
      throw TransportConfigurationError("trust", "the file \(path) has no certificate in PEM")
    }
    return certificates
  }
}
