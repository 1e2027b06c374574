public import Foundation

/// Says how a session connects: limits, timeouts, proxy, TLS and addresses.
///
/// ```swift
/// var configuration = WebServiceConfiguration(baseURL: url)
/// configuration.transport.pinnedPublicKeys = [key]
/// let service = JsonWebService(configuration: configuration)
/// ```
/// ``CurlSession``, the default session on Linux, keeps every setting. ``FoundationSession`` keeps the settings that
/// <doc:ConnectingToServers> lists. A setting that a session can't keep is an error when the session is made:
/// ``DefaultSession/make(_:)`` throws it, and a service fails every request with it before anything is sent.
///
/// ``pinnedPublicKeys``, ``clientCertificate`` and a ``minimumTLSVersion`` above the default demand TLS: a session with
/// one of them refuses `http` URLs, other than those of this machine, before anything is sent. A redirect is no
/// exception.
///
/// A session keeps the configuration that it was made with.
public struct TransportConfiguration: DescriptionOnly, Hashable, Sendable {
  /// Connections to one scheme, host and port at a time; transfers beyond this number wait. At least 1.
  public var connectionsPerHost = 64
  /// How many seconds an unused connection may be used again, from 1 to 86,400. The default is libcurl's own.
  /// ``FoundationSession`` takes no other value.
  public var idleConnectionLifetime: TimeInterval = 118
  /// Whether HTTP/2 is offered over TLS, where many transfers share one connection. Some builds of libcurl have no
  /// HTTP/2, and use HTTP/1.1. ``FoundationSession`` can't switch HTTP/2 off.
  public var isHTTP2Enabled = true
  /// The timeouts of requests that set none of their own. Without an entry here there is no limit.
  public var timeouts = TransportRequest.Timeouts(connect: 30, idle: 60)
  /// The proxy.
  public var proxy = Proxy.system
  /// The certificates that are trusted.
  public var trust = Trust.system
  /// The seconds for which ``CurlSession`` doesn't read a trust file again. Reading 200 KB takes 20 ms of its thread. A
  /// host is looked up again after a second at most.
  var cacheLifetime = 60
  /// The certificate that the session shows to servers that ask for one.
  public var clientCertificate: ClientCertificate?
  /// SHA-256 digests of the public keys that servers may have, in base64. Empty: any key whose certificate is trusted.
  public var pinnedPublicKeys: [String] = []
  /// The oldest version of TLS that is spoken.
  public var minimumTLSVersion = TLSVersion.tls1_2
  /// The path of a Unix domain socket that all connections go to, whatever the host's name. ``CurlSession`` only.
  public var unixSocketPath: String?
  /// Addresses in the place of look-ups: the key is `host:port`, the value one IP address or several separated by
  /// commas. ``CurlSession`` only. An HTTP proxy looks hosts up itself, and these addresses have no effect there.
  public var addresses: [String: String] = [:]

  /// Creates the configuration that suits REST services.
  public init() {}

  /// The source of a proxy's address.
  public enum Proxy: DescriptionOnly, Hashable, Sendable {
    /// On Apple's systems the system's settings. On Linux the variables `http_proxy`, `https_proxy`, `all_proxy` and
    /// `no_proxy`, also in capital letters. The session reads them once, when it is made.
    case system
    /// A proxy for all requests, such as `http://proxy.example:3128`. User and password may stand before the host.
    case url(String)
    /// Every request goes straight to its host.
    case none

    /// The source of the address, and the address without user info.
    public var description: String {
      switch self {
      case .system: "system"
      case .url(let url): TransportMessage.address(url)
      case .none: "none"
      }
    }
  }

  /// Which certificates are trusted. Verification can't be switched off.
  public enum Trust: Hashable, Sendable {
    /// The system's certificates. On Linux `SSL_CERT_FILE` and `SSL_CERT_DIR` replace them if they are set.
    case system
    /// Only the certificates of a file in PEM. ``CurlSession`` notices within a minute that the file was replaced.
    case file(String)
  }

  /// A certificate with its private key.
  public enum ClientCertificate: DescriptionOnly, Hashable, Sendable {
    /// Two files in PEM, or the same file twice. An encrypted key needs its password. ``CurlSession`` only.
    case pem(certificatePath: String, keyPath: String, password: String? = nil)
    /// A file in PKCS #12 (`.p12`), which every session reads.
    case pkcs12(path: String, password: String)

    /// The paths, and whether there is a password.
    public var description: String {
      switch self {
      case .pem(let certificate, let key, let password):
        "certificate \(certificate), key \(key)\(password.map { _ in ", password \(Redaction.placeholder)" } ?? "")"
      case .pkcs12(let path, _): "\(path), password \(Redaction.placeholder)"
      }
    }
  }

  /// A version of TLS.
  public enum TLSVersion: Hashable, Sendable {
    /// TLS 1.2 (RFC 5246)
    case tls1_2
    /// TLS 1.3 (RFC 8446)
    case tls1_3
  }

  /// The settings that decide who answers a request, and whom the server sees; `nil` without any. The parts of an array
  /// are quoted, so that no two settings make one text.
  package var cacheScope: String? {
    guard clientCertificate != nil || unixSocketPath != nil || !addresses.isEmpty else { return nil }
    let names = addresses.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    return "\([clientCertificate?.description ?? "", unixSocketPath ?? ""] + names)"
  }

  /// The settings, without the passwords of a proxy and of a key.
  public var description: String {
    func seconds(_ time: TimeInterval?) -> String { time.map { "\($0) s" } ?? "unlimited" }
    let parts = [
      "\(connectionsPerHost) connections a host", "unused ones kept for \(idleConnectionLifetime) s",
      isHTTP2Enabled ? "HTTP/2" : "HTTP/1.1", "connect \(seconds(timeouts.connect))", "idle \(seconds(timeouts.idle))",
      "proxy \(proxy)", "trust \(trust)",
      "client certificate \(clientCertificate?.description ?? "none")", "\(pinnedPublicKeys.count) pinned keys",
      "TLS from \(minimumTLSVersion == .tls1_2 ? "1.2" : "1.3")", "Unix socket \(unixSocketPath ?? "none")",
      "addresses \(addresses.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "))",
    ]
    return parts.joined(separator: ", ")
  }
}
