#if os(Linux)
  import Foundation

  /// The proxies of a session, read when the session is made. libcurl would read the environment later, while another
  /// thread of the program may change the environment.
  struct CurlProxySettings: Equatable, Sendable {
    /// The proxy for `http`; empty for none.
    var plain = ""
    /// The proxy for `https`; empty for none.
    var secure = ""
    /// Hosts that are reached without a proxy, separated by commas.
    var exceptions = ""

    /// Whether any request may go through a proxy.
    var isUsed: Bool { !addresses.isEmpty }
    /// The proxies in use.
    var addresses: [String] { [plain, secure].filter { !$0.isEmpty } }

    /// Of the usual variables, the lower-case name wins.
    init(_ proxy: TransportConfiguration.Proxy, environment: [String: String]) {
      func value(_ names: String...) -> String {
        names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
      }
      switch proxy {
      case .none: break
      case .url(let url): (plain, secure) = (url, url)
      case .system:
        // A client can set `HTTP_PROXY` of a CGI program with the header field `Proxy` ("httpoxy").
        let isGateway = environment["REQUEST_METHOD"] != nil
        plain = value("http_proxy", isGateway ? "" : "HTTP_PROXY", "all_proxy", "ALL_PROXY")
        secure = value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        exceptions = value("no_proxy", "NO_PROXY")
      }
    }
  }

  extension CurlProxySettings: DescriptionOnly {
    /// The addresses without user info.
    var description: String {
      "http: \(TransportMessage.address(plain)), https: \(TransportMessage.address(secure)), not for: \(exceptions)"
    }
  }

  /// The file and the directory with the trusted certificates, which replace both defaults of libcurl.
  struct CurlTrust: Equatable, Sendable {
    var file: String?
    var directory: String?

    /// - Parameter certificates: trusted if nothing else is named.
    /// - Returns: `nil` if libcurl's defaults are trusted.
    init?(_ trust: TransportConfiguration.Trust, environment: [String: String], certificates: String? = nil) {
      switch trust {
      case .file(let path): file = path
      case .system:
        file = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        directory = environment["SSL_CERT_DIR"].flatMap { $0.isEmpty ? nil : $0 }
        if file == nil, directory == nil { file = certificates }
        if file == nil, directory == nil { return nil }
      }
    }
  }
#endif
