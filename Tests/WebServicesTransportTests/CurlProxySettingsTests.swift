@testable import WebServicesTestSupport
#if os(Linux)
  @testable import WebServicesTransport

  struct CurlProxySettingsTests {
    @Test func configurationOrEnvironmentSetsTheProxy() {
      typealias Proxy = TransportConfiguration.Proxy
      let rows: [(proxy: Proxy, environment: [String: String], expected: [String])] = [
        (.system, ["HTTP_PROXY": "a", "https_proxy": "b", "HTTPS_PROXY": "c", "NO_PROXY": "d"], ["a", "b", "d"]),
        (.system, ["HTTP_PROXY": "a", "REQUEST_METHOD": "GET"], ["", "", ""]),
        (.system, ["ALL_PROXY": "a", "http_proxy": ""], ["a", "a", ""]),
        (.none, ["http_proxy": "a", "no_proxy": "b"], ["", "", ""]),
        (.url("c"), ["http_proxy": "a", "no_proxy": "b"], ["c", "c", ""]),
      ]
      for (proxy, environment, expected) in rows {
        let settings = CurlProxySettings(proxy, environment: environment)
        expectEqual([settings.plain, settings.secure, settings.exceptions], expected)
      }
    }

    /// Only a trust with neither a file nor a directory leaves libcurl its defaults.
    @Test func configurationOrEnvironmentSetsTheTrust() {
      typealias Trust = TransportConfiguration.Trust
      let rows: [(trust: Trust, environment: [String: String], certificates: String?, expected: [String?]?)] = [
        (.system, ["SSL_CERT_FILE": "a", "SSL_CERT_DIR": ""], nil, ["a", nil]),
        (.file("b"), ["SSL_CERT_FILE": "a"], nil, ["b", nil]), (.system, ["SSL_CERT_DIR": "c"], nil, [nil, "c"]),
        (.system, ["SSL_CERT_FILE": "", "SSL_CERT_DIR": ""], nil, nil), (.system, [:], "d", ["d", nil]),
        (.system, ["SSL_CERT_DIR": "c"], "d", [nil, "c"]),
      ]
      for (trust, environment, certificates, expected) in rows {
        let found = CurlTrust(trust, environment: environment, certificates: certificates)
        expectEqual(found.map { [$0.file, $0.directory] }, expected)
      }
    }
  }
#endif
