#if os(Linux)
  public import Foundation

  /// How a `CurlSession` connects. A session keeps the configuration that it was made with.
  public struct CurlSessionConfiguration: Sendable {
    /// Connections to one scheme, host and port at a time; transfers beyond it wait. At least 1.
    public var connectionsPerHost = 64
    /// Connections in total at a time, those kept open included. At least 1.
    public var connections = 256
    /// How many seconds an unused connection may be used again.
    public var idleConnectionLifetime: TimeInterval = 118
    /// Whether HTTP/2 is offered over TLS, where many transfers share one connection.
    public var isHTTP2Enabled = true
    /// Whether the system probes connections that are silent.
    public var isKeepAliveEnabled = true
    /// The timeouts of requests that set none of their own. Without an entry here there is no limit.
    public var timeouts = TransportTimeouts(connect: 30, idle: 60)
    /// The proxy.
    public var proxy = Proxy.environment
    /// The certificates that are trusted.
    public var trust = Trust.system
    /// The certificate that the session shows to servers that ask for one.
    public var clientCertificate: ClientCertificate?
    /// SHA-256 digests of the public keys that servers may have, in base64. Empty: any key whose certificate is
    /// trusted.
    public var pinnedPublicKeys: [String] = []
    /// The oldest version of TLS that is spoken.
    public var minimumTLSVersion = TLSVersion.tls1_2
    /// The path of a Unix domain socket that all connections go to, whatever the host's name.
    public var unixSocketPath: String?
    /// Addresses in the place of look-ups: the key is `host:port`, the value one IP address or several separated by
    /// commas.
    public var addresses: [String: String] = [:]

    /// Creates the configuration that suits REST services.
    public init() {}

    /// Where a proxy's address comes from.
    public enum Proxy: Hashable, Sendable {
      /// `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, also in capital letters, as they are when the
      /// session is made.
      case environment
      /// A proxy for all requests, such as `http://proxy.example:3128`.
      case url(String)
      /// Every request goes straight to its host.
      case none
    }

    /// Which certificates are trusted. Verification can't be switched off.
    public enum Trust: Hashable, Sendable {
      /// The system's, or those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
      case system
      /// Only the certificates of a file in PEM.
      case file(String)
    }

    /// A certificate with its key.
    public struct ClientCertificate: Hashable, Sendable {
      /// The path of the certificate, in PEM.
      public var certificatePath: String
      /// The path of the private key, in PEM.
      public var keyPath: String
      /// The password of the key, where it has one.
      public var keyPassword: String?

      /// Creates a client certificate.
      public init(certificatePath: String, keyPath: String, keyPassword: String? = nil) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
        self.keyPassword = keyPassword
      }
    }

    /// A version of TLS.
    public enum TLSVersion: Hashable, Sendable {
      /// TLS 1.2 (RFC 5246)
      case tls1_2
      /// TLS 1.3 (RFC 8446)
      case tls1_3
    }
  }

  extension CurlSessionConfiguration.Proxy: DescriptionOnly {
    /// Where the address comes from, and the address without user info.
    public var description: String {
      switch self {
      case .environment: "environment"
      case .url(let url): TransportMessage.address(url)
      case .none: "none"
      }
    }
  }

  extension CurlSessionConfiguration.ClientCertificate: DescriptionOnly {
    /// The paths, and whether there is a password.
    public var description: String {
      let password = keyPassword.map { _ in ", password \(Redaction.placeholder)" } ?? ""
      return "certificate \(certificatePath), key \(keyPath)\(password)"
    }
  }
#endif
